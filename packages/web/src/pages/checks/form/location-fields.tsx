import { useQuery } from '@tanstack/react-query'
import { DATA_CENTERS, type DataCenter, type Location } from '@vedette/schema'
import { useState } from 'react'
import { locationsQuery } from '../../../api/locations.ts'
import { privateLocationsQuery } from '../../../api/private-locations.ts'
import { Disclosure } from '../../../components/disclosure.tsx'
import { CheckboxField, FieldError } from '../../../components/field.tsx'
import { Notice } from '../../../components/notice.tsx'
import { GroupSays, groupHint } from '../groups/group-says.tsx'
import type { Overrides } from '../groups/overrides.ts'
import type { PartProps } from '../kinds/kind-view.ts'
import type { SharedDraft } from './shared-draft.ts'

const servedBy: Record<Location['servedBy'], string> = {
  'built-in': 'served by this machine',
  runner: 'served by a runner elsewhere',
  nobody: 'served by nobody: runs here would be missed',
}

export function LocationFields({ draft, set, errorOf, overrides }: PartProps<SharedDraft> & { overrides: Overrides }) {
  const several = draft.locations.length + draft.privateLocations.length > 1 || overrides.locations !== null
  return (
    <fieldset className="space-y-3">
      <legend className="mb-3 text-[0.9375rem] font-semibold">Where</legend>
      {overrides.locations !== null && (
        <p>
          <GroupSays text={overrides.locations} />
        </p>
      )}
      <LocationPicker draft={draft} set={set} errorOf={errorOf} />
      {several && (
        <CheckboxField
          label="Run in all locations at once"
          hint={groupHint(overrides.runParallel, 'Otherwise each run takes the next location in turn.')}
          checked={draft.runParallel}
          onChange={(runParallel) => set({ runParallel })}
        />
      )}
    </fieldset>
  )
}

/** The locations of a check, or of a group of checks. */
export function LocationPicker({
  draft,
  set,
  errorOf,
}: PartProps<Pick<SharedDraft, 'locations' | 'privateLocations'>>) {
  const { data: all = [] } = useQuery(locationsQuery)
  const { data: own = [] } = useQuery(privateLocationsQuery)
  const chosen = new Set<string>(draft.locations)
  // Those that were chosen when the form opened and those with a runner of their own; the others wait in a fold.
  const [atFirst] = useState(chosen)
  const first = all.filter(({ region, servedBy }) => servedBy === 'runner' || atFirst.has(region))
  const others = all.filter((location) => !first.includes(location))

  const choose = (region: string, on: boolean) =>
    set({ locations: DATA_CENTERS.filter((one: DataCenter) => (one === region ? on : chosen.has(one))) })

  const box = ({ region, name, servedBy: by }: Location) => (
    <CheckboxField
      key={region}
      label={name}
      hint={`${region}, ${servedBy[by]}`}
      checked={chosen.has(region)}
      onChange={(on) => choose(region, on)}
    />
  )

  return (
    <div className="space-y-3">
      <div className="grid gap-3 sm:grid-cols-2">
        {first.map(box)}
        {own.map(({ id, name, slugName, agentCount }) => (
          <CheckboxField
            key={id}
            label={name}
            hint={`${slugName}, private, ${agentCount ? 'served by its own runners' : 'no runner is signed in'}`}
            checked={draft.privateLocations.includes(slugName)}
            onChange={(on) =>
              set({
                privateLocations: on
                  ? [...draft.privateLocations, slugName]
                  : draft.privateLocations.filter((slug) => slug !== slugName),
              })
            }
          />
        ))}
      </div>
      {others.length > 0 && (
        <Disclosure summary={`${others.length} more locations`}>
          <div className="grid gap-3 sm:grid-cols-2">{others.map(box)}</div>
        </Disclosure>
      )}
      {all.some(({ region, servedBy }) => servedBy === 'nobody' && chosen.has(region)) && (
        <Notice tone="warn">
          A chosen location has no runner: its runs will be counted as missed until one signs in.
        </Notice>
      )}
      <FieldError error={errorOf('locations') ?? errorOf('privateLocations')} />
    </div>
  )
}
