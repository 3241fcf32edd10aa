import type { ConsoleMessage, FailedRequest } from '@vedette/schema'
import { Icon, type IconName } from '../../../../components/icon.tsx'
import { formatFull } from '../../../../components/instant.tsx'
import { plural } from '../../../../components/number.ts'
import { Section } from '../../../../components/section.tsx'
import { formatClock } from '../log-lines.tsx'

const levels: Record<ConsoleMessage['level'], { look: string; row: string; icon: IconName | null }> = {
  debug: { look: 'text-faint', row: '', icon: null },
  info: { look: 'text-faint', row: '', icon: null },
  log: { look: 'text-faint', row: '', icon: null },
  warning: { look: 'text-warn', row: 'bg-warn-soft', icon: 'slow' },
  error: { look: 'text-bad', row: 'bg-bad-soft', icon: 'cross' },
}

/** What pages wrote to the console of the browser. */
export function ConsoleSection({ messages }: { messages: readonly ConsoleMessage[] }) {
  if (messages.length === 0) return null
  const errors = messages.filter(({ level }) => level === 'error').length
  return (
    <Section title="Console of the pages" aside={errors > 0 && plural(errors, 'error')}>
      <ConsoleLines messages={messages} />
    </Section>
  )
}

/** Some that are alike may be told once, with how often they came. */
type Counted<One> = One & { times?: number }

export function ConsoleLines({ messages }: { messages: readonly Counted<ConsoleMessage>[] }) {
  return (
    <ol className="font-mono text-[0.8125rem]">
      {messages.map(({ time, level, text, url, times }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a log does not change
          key={index}
          className={`grid grid-cols-[auto_1fr] gap-x-3 rounded px-2 py-1 sm:grid-cols-[auto_5.5rem_1fr] ${levels[level].row}`}
        >
          <time dateTime={new Date(time).toISOString()} title={formatFull(time)} className="text-faint">
            {formatClock(time)}
          </time>
          <span className={`flex items-center gap-1 self-start ${levels[level].look}`}>
            {levels[level].icon && <Icon name={levels[level].icon} size={12} />}
            {level}
          </span>
          <span className="col-span-2 min-w-0 sm:col-span-1">
            <span className="break-words whitespace-pre-wrap">{text}</span>
            <Times times={times} />
            <span className="block text-[0.75rem] break-all text-faint">{url}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Requests of pages to which no good answer came. */
export function FailedRequestsSection({ requests }: { requests: readonly FailedRequest[] }) {
  if (requests.length === 0) return null
  return (
    <Section title="Requests that failed" aside={plural(requests.length, 'request')}>
      <RequestLines requests={requests} />
    </Section>
  )
}

export function RequestLines({ requests }: { requests: readonly Counted<FailedRequest>[] }) {
  return (
    <ul className="divide-y divide-line text-[0.875rem]">
      {requests.map(({ time, method, url, problem, isDocument, times }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they do not change
        <li key={index} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2 first:pt-0 last:pb-0">
          <span className="min-w-0 font-mono text-[0.8125rem] break-all">
            <strong>{method}</strong> {url}
            <Times times={times} />
          </span>
          <span className="text-bad">
            {problem}
            {isDocument && <span className="text-soft">, of a page itself</span>}
          </span>
          <time dateTime={new Date(time).toISOString()} className="sr-only">
            {formatClock(time)}
          </time>
        </li>
      ))}
    </ul>
  )
}

function Times({ times = 1 }: { times?: number | undefined }) {
  return times > 1 && <span className="ml-2 text-[0.75rem] text-soft">{times} times</span>
}
