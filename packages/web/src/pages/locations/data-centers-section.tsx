import { useQuery } from '@tanstack/react-query'
import { DATA_CENTERS, type Location, type LocationKey } from '@vedette/schema'
import { useState } from 'react'
import { useCreateDataCenterKey } from '../../api/create-data-center-key.ts'
import { locationsQuery } from '../../api/locations.ts'
import { IconButton } from '../../components/button.tsx'
import type { IconName } from '../../components/icon.tsx'
import { IsolationNote } from '../../components/isolation.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice, Pill, type Tone } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { NewKey } from './new-key.tsx'
import { QuarantineNotice } from './quarantine-notice.tsx'
import { ScriptsNote } from './scripts-note.tsx'

const services: readonly { by: Location['servedBy']; word: string; note: string; tone: Tone; icon: IconName }[] = [
  { by: 'runner', word: 'Served by a runner elsewhere', note: '', tone: 'good', icon: 'check' },
  {
    by: 'built-in',
    word: 'Served from this machine',
    note: 'Runs that name one of these places start here, whatever the place is called. Create a key to let a runner that is really there take over.',
    tone: 'good',
    icon: 'check',
  },
  {
    by: 'nobody',
    word: 'Served by nobody',
    note: 'Runs here are counted as missed until a runner signs in with a key.',
    tone: 'idle',
    icon: 'pause',
  },
]

export function DataCentersSection() {
  const locations = useQuery({ ...locationsQuery, refetchInterval: 10_000 })
  const createKey = useCreateDataCenterKey()
  const [made, setMade] = useState<{ place: string; key: LocationKey } | null>(null)
  const create = ({ region, name }: Location) => {
    const dataCenter = DATA_CENTERS.find((one) => one === region)
    if (dataCenter) createKey.mutate(dataCenter, { onSuccess: (key) => setMade({ place: name, key }) })
  }
  return (
    <Section title="Data-center locations">
      {createKey.error && <Notice tone="bad">{createKey.error.message}</Notice>}
      <Loaded query={locations}>
        {(locations) => (
          <div className="space-y-7">
            {services.map(({ by, word, note, tone, icon }) => {
              const served = locations.filter(({ servedBy }) => servedBy === by)
              if (served.length === 0) return null
              return (
                <div key={by}>
                  <h3>
                    <Pill tone={tone} icon={icon}>
                      {word}
                    </Pill>
                  </h3>
                  {note !== '' && <p className="mt-2 max-w-[68ch] text-[0.8125rem] text-faint">{note}</p>}
                  {by !== 'nobody' && <Scripts locations={served} />}
                  <QuarantineNotice locations={served} />
                  <ul className="mt-3 grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
                    {served.map((location) => (
                      <li
                        key={location.region}
                        className="flex items-center justify-between gap-3 border-t border-line py-1.5"
                      >
                        <span className="min-w-0">
                          <span className="block truncate text-[0.875rem] font-medium">{location.name}</span>
                          <span className="block font-mono text-xs text-faint">{location.region}</span>
                        </span>
                        <IconButton
                          icon="key"
                          busy={createKey.isPending && createKey.variables === location.region}
                          label={`Create a key for a runner that serves ${location.name}`}
                          onClick={() => create(location)}
                        />
                      </li>
                    ))}
                  </ul>
                </div>
              )
            })}
          </div>
        )}
      </Loaded>
      {made && <NewKey place={made.place} rawKey={made.key.rawKey} onClose={() => setMade(null)} />}
    </Section>
  )
}

/** Said once for all places where it is the same. */
function Scripts({ locations }: { locations: readonly Location[] }) {
  const bySame = Map.groupBy(locations, ({ isolation, scripts }) => JSON.stringify([isolation, scripts]))
  return [...bySame].map(([key, places]) => {
    const { isolation = null, scripts = null } = places[0] ?? {}
    const names = bySame.size > 1 ? places.map(({ name }) => name) : []
    return (
      <div key={key}>
        <ScriptsNote scripts={scripts} isolation={isolation} places={names} />
        <IsolationNote isolation={isolation} />
      </div>
    )
  })
}
