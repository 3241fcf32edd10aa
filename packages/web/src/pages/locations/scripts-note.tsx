import type { Isolation, LocationScripts } from '@vedette/schema'
import { Pill } from '../../components/notice.tsx'

interface ScriptsNoteProps {
  scripts: LocationScripts | null
  isolation: Isolation | null
  /** Named where it is not the same everywhere. */
  places?: readonly string[]
}

/** Whether checks that run Playwright scripts can run in some places, and with what. Somebody must be there. */
export function ScriptsNote({ scripts, isolation, places = [] }: ScriptsNoteProps) {
  const hindrance = hindranceTo({ scripts, isolation })
  return (
    <div className="mt-2 max-w-[68ch] space-y-1.5 text-[0.8125rem] text-faint">
      {places.length > 0 && <p className="font-semibold text-soft">{places.join(', ')}:</p>}
      <ul aria-label={['Scripts', ...places].join(' ')} className="flex flex-wrap gap-1.5">
        <li>
          <Able can={hindrance === null || hindrance.only === 'browser'} what="Multi-step checks" />
        </li>
        <li>
          <Able can={hindrance === null} what="Browser checks" />
        </li>
      </ul>
      {hindrance !== null && (
        <p className="text-ink">
          No runner here can execute {hindrance.only === 'browser' ? 'browser checks' : 'multi-step or browser checks'}:{' '}
          {hindrance.why}.
        </p>
      )}
      {scripts !== null && <p>{wordsOf(scripts)}</p>}
    </div>
  )
}

function Able({ can, what }: { can: boolean; what: string }) {
  return can ? (
    <Pill tone="good" icon="check">
      {what}
    </Pill>
  ) : (
    <Pill tone="warn" icon="pause">
      No {what.toLowerCase()}
    </Pill>
  )
}

interface Hindrance {
  /** What cannot run; absent: no script at all. */
  only?: 'browser'
  why: string
}

function hindranceTo({ scripts, isolation }: Pick<ScriptsNoteProps, 'scripts' | 'isolation'>): Hindrance | null {
  if (isolation === null) return { why: 'it has not been found out yet how scripts can be kept apart' }
  if (isolation.level === 'none') {
    return {
      why: 'scripts cannot be kept apart from the machine (install bubblewrap, or set SCRIPT_ISOLATION=reduced)',
    }
  }
  if (scripts === null || scripts.runtimes.length === 0) return { why: 'no runtime is installed' }
  return scripts.browser === null ? { only: 'browser', why: 'there is no browser (install Chromium)' } : null
}

function wordsOf({ runtimes, browser, recordsVideo }: LocationScripts): string {
  const installed = runtimes.map(
    ({ id, playwright, node }) => `runtime ${id} with Playwright ${playwright} on Node.js ${node.replace(/^v/, '')}`,
  )
  const parts = [
    ...installed,
    ...(browser === null ? [] : [`${browser.name} ${browser.version}`, `${recordsVideo ? 'records' : 'no'} videos`]),
  ]
  const text = parts.join('; ')
  return text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}.`
}
