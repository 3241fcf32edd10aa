/** Metrics in the text format of Prometheus, version 0.0.4. */

export type Labels = Readonly<Record<string, string>>

/** A family of metrics: its samples belong together in the text. */
export interface MetricFamily {
  name: string
  type: 'gauge' | 'counter' | 'histogram'
  help: string
  samples: string[]
}

export const HISTOGRAM_BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

export function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

/** Of what is counted rather than timed. */
export const COUNT_BOUNDS = [0, 1, 2, 5, 10, 25, 50, 100] as const

/** `upTo` tells how many values are at most so large. */
export function histogram(
  name: string,
  labels: Labels,
  { count, sum, upTo }: { count: number; sum: number; upTo: (bound: number) => number },
  bounds: readonly number[] = HISTOGRAM_BOUNDS,
): string[] {
  return [
    ...bounds.map((bound) => sample(`${name}_bucket`, { ...labels, le: String(bound) }, upTo(bound))),
    sample(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
    sample(`${name}_sum`, labels, sum),
    sample(`${name}_count`, labels, count),
  ]
}

/** Families without samples are left out. */
export function metricsText(families: readonly MetricFamily[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.join('\n')}\n`)
    .join('')
}

/**
 * The tags of a check as labels: `team:shop` becomes the label `team`, all others are listed in `tags`, and so are those
 * whose label is taken.
 */
export function tagLabels(tags: readonly string[], taken: ReadonlySet<string>, parse: boolean): Labels {
  const labels: Record<string, string> = {}
  const plain: string[] = []
  for (const tag of tags) {
    const at = tag.indexOf(':')
    const label = at > 0 ? labelName(tag.slice(0, at)) : ''
    if (!parse || label === '' || label === 'tags' || taken.has(label)) plain.push(tag)
    else labels[label] = labels[label] === undefined ? tag.slice(at + 1) : `${labels[label]},${tag.slice(at + 1)}`
  }
  return { tags: plain.join(','), ...labels }
}

/** Labels that begin with two underscores belong to Prometheus. */
function labelName(text: string): string {
  const name = text.trim().replaceAll(/[^a-zA-Z0-9_]/g, '_')
  return (/^\d/.test(name) ? `_${name}` : name).replace(/^__+/, '_')
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}
