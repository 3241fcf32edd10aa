import { useQuery } from '@tanstack/react-query'
import { DATA_CENTERS, type Location, type LocationKey } from '@vedette/schema'
import { useState } from 'react'
import { useCreateDataCenterKey } from '../../api/create-data-center-key.ts'
import { locationsQuery } from '../../api/locations.ts'
import { Button } from '../../components/button.tsx'
import type { IconName } from '../../components/icon.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice, Pill, type Tone } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { NewKey } from './new-key.tsx'

const served: Record<Location['servedBy'], { word: string; tone: Tone; icon: IconName }> = {
  'built-in': { word: 'This machine', tone: 'good', icon: 'check' },
  runner: { word: 'A runner elsewhere', tone: 'good', icon: 'check' },
  nobody: { word: 'Nobody', tone: 'idle', icon: 'pause' },
}
const order: readonly Location['servedBy'][] = ['built-in', 'runner', 'nobody']

export function DataCentersSection() {
  const locations = useQuery({ ...locationsQuery, refetchInterval: 10_000 })
  const createKey = useCreateDataCenterKey()
  const [made, setMade] = useState<{ place: string; key: LocationKey } | null>(null)
  const create = ({ region, name }: Location) => {
    const dataCenter = DATA_CENTERS.find((one) => one === region)
    if (dataCenter) createKey.mutate(dataCenter, { onSuccess: (key) => setMade({ place: name, key }) })
  }
  return (
    <Section title="Data-center locations" flush>
      {createKey.error && <Notice tone="bad">{createKey.error.message}</Notice>}
      <Loaded query={locations}>
        {(locations) => (
          <table className="data-table">
            <caption className="sr-only">Data-center locations and who serves them</caption>
            <thead>
              <tr>
                <th scope="col">Location</th>
                <th scope="col">Served by</th>
                <th scope="col" className="w-px">
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {[...locations].sort(byService).map((location) => {
                const { word, tone, icon } = served[location.servedBy]
                return (
                  <tr key={location.region}>
                    <th scope="row">
                      {location.name}
                      <span className="block font-mono text-xs font-normal text-faint">{location.region}</span>
                    </th>
                    <td>
                      <Pill tone={tone} icon={icon}>
                        {word}
                      </Pill>
                    </td>
                    <td>
                      <Button
                        look="quiet"
                        icon="plus"
                        busy={createKey.isPending && createKey.variables === location.region}
                        title={`Create a key for a runner that serves ${location.name}`}
                        onClick={() => create(location)}
                      >
                        <span className="max-sm:sr-only">Key</span>
                        <span className="sr-only"> for {location.name}</span>
                      </Button>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        )}
      </Loaded>
      {made && <NewKey place={made.place} rawKey={made.key.rawKey} onClose={() => setMade(null)} />}
    </Section>
  )
}

const byService = (a: Location, b: Location): number =>
  order.indexOf(a.servedBy) - order.indexOf(b.servedBy) || a.name.localeCompare(b.name)
