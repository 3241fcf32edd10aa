import { Link } from '@tanstack/react-router'
import type { Operations } from '@vedette/schema'
import { Ago } from '../../components/instant.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'

/** What Vedette has found out about itself, and who is told of it. */
export function SelfWatchSection({ selfWatch }: { selfWatch: Operations['selfWatch'] }) {
  const { troubles, lookedAt, checkId, deadMan } = selfWatch
  return (
    <Section title="Vedette itself">
      {troubles.length === 0 ? (
        <p>
          {lookedAt === null ? (
            'Nobody has looked yet: give it half a minute.'
          ) : (
            <>
              Checks run, messages leave, queues are worked off and clocks agree. Looked at <Ago at={lookedAt} />.
            </>
          )}
        </p>
      ) : (
        <Notice tone="bad">
          <ul className="grid gap-1">
            {troubles.map(({ kind, words, since }) => (
              <li key={`${kind} ${words}`}>
                {words}{' '}
                <span className="text-soft">
                  Found <Ago at={since} />.
                </span>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <p className="mt-3 text-soft">
        {checkId === null ? (
          'No check of this account tells of it: one is made once the first account has a check and an alert channel, unless it was deleted.'
        ) : (
          <>
            Trouble is told by the check{' '}
            <Link to="/checks/$checkId" params={{ checkId }} className="link">
              Vedette itself
            </Link>
            .
          </>
        )}{' '}
        {outside(deadMan)}
      </p>
    </Section>
  )
}

function outside(deadMan: Operations['selfWatch']['deadMan']) {
  if (deadMan === null) {
    return 'Nobody outside notices when all of Vedette is gone: set DEAD_MAN_URL to a heartbeat of another monitor.'
  }
  const { lastTakenAt, error } = deadMan
  return (
    <>
      The place outside that notices when all of Vedette is gone was last told{' '}
      {lastTakenAt === null ? 'never' : <Ago at={lastTakenAt} />}
      {error === null ? '.' : `; it does not take what it is told now: ${error}`}
    </>
  )
}
