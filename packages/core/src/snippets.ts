/** Snippets in scripts: those that are named, and those whose text is written where an inclusion stands. */

interface Snippet {
  name: string
  script: string
}

const DEPTH_LIMIT = 8
const TEXT_LIMIT = 1024 * 1024

/** The snippets that scripts may import or include: all whose names occur in them, or in others that do. */
export function snippetsNamedIn<S extends Snippet>(scripts: readonly string[], snippets: readonly S[]): S[] {
  const found = new Set<S>()
  const search = (text: string) => {
    if (!text.includes('./') && !text.includes('{{>')) return
    for (const snippet of snippets) {
      if (found.has(snippet) || !text.includes(snippet.name)) continue
      found.add(snippet)
      search(snippet.script)
    }
  }
  for (const script of scripts) search(script)
  return snippets.filter((snippet) => found.has(snippet))
}

const INCLUSION =
  /\{\{>\s*(?:"([^"{}]{1,100})"|'([^'{}]{1,100})'|([^\s"'{}]{1,100}))((?:\s+\w{1,100}="[^"]{0,10000}")*)\s*\}\}/g
const ARGUMENT = /(\w+)="([^"]*)"/g
const PLACE = /\{\{\{?\s*(\w{1,100})\s*\}?\}\}/g

/**
 * The script with the text of a snippet in place of each `{{> name key="value"}}`, and with the values in the places
 * of the keys in it.
 *
 * @throws Error when there is no such snippet, or when inclusion does not end
 */
export function includeSnippets(script: string, snippets: readonly Snippet[], depth = 0): string {
  if (!script.includes('{{>')) return script
  if (depth === DEPTH_LIMIT) throw new Error(`snippets include each other more than ${DEPTH_LIMIT} deep`)
  let length = script.length
  return script.replace(INCLUSION, (_, double, single, bare, args: string) => {
    const name: string = double ?? single ?? bare
    const snippet = snippets.find((one) => one.name === name)
    if (snippet === undefined) throw new Error(`there is no snippet "${name}"`)
    const values = new Map([...args.matchAll(ARGUMENT)].map(([, key = '', value = '']) => [key, value]))
    const filled = snippet.script.replace(PLACE, (place, key: string) => values.get(key) ?? place)
    const text = includeSnippets(filled, snippets, depth + 1)
    length += text.length
    if (length > TEXT_LIMIT) throw new Error('the snippets that it includes are longer than 1 MiB together')
    return text
  })
}
