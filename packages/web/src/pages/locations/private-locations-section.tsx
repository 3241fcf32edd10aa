import { useQuery } from '@tanstack/react-query'
import type { PrivateLocation } from '@vedette/schema'
import { useState } from 'react'
import { useCreateLocationKey } from '../../api/create-location-key.ts'
import { useDeleteLocationKey } from '../../api/delete-location-key.ts'
import { useDeletePrivateLocation } from '../../api/delete-private-location.ts'
import { privateLocationsQuery } from '../../api/private-locations.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Empty } from '../../components/empty.tsx'
import { Ago } from '../../components/instant.tsx'
import { IsolationNote } from '../../components/isolation.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice, Pill } from '../../components/notice.tsx'
import { plural } from '../../components/number.ts'
import { Section } from '../../components/section.tsx'
import { AddPrivateLocation } from './add-private-location.tsx'
import { NewKey } from './new-key.tsx'
import { QuarantineNotice } from './quarantine-notice.tsx'
import { ScriptsNote } from './scripts-note.tsx'

const MOST_KEYS = 2

type Open =
  | { kind: 'add' }
  | { kind: 'key'; place: string; rawKey: string }
  | { kind: 'delete'; location: PrivateLocation }
  | null

export function PrivateLocationsSection() {
  const locations = useQuery({ ...privateLocationsQuery, refetchInterval: 10_000 })
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const add = (
    <Button icon="plus" look="primary" onClick={() => setOpen({ kind: 'add' })}>
      Add a private location
    </Button>
  )
  return (
    <Section title="Private locations" flush aside={locations.data && locations.data.length > 0 && add}>
      <Loaded query={locations}>
        {(locations) =>
          locations.length === 0 ? (
            <Empty title="No private location yet">
              <p className="mb-4">
                A private location is a place of your own, such as an office or a closed network, from which a runner
                checks what cannot be reached from here.
              </p>
              {add}
            </Empty>
          ) : (
            <ul className="divide-y divide-line">
              {locations.map((location) => (
                <LocationRow
                  key={location.id}
                  location={location}
                  onKey={(rawKey) => setOpen({ kind: 'key', place: location.name, rawKey })}
                  onDelete={() => setOpen({ kind: 'delete', location })}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {open?.kind === 'add' && (
        <AddPrivateLocation
          onClose={close}
          onAdded={({ name, keys: [key] }) => setOpen(key ? { kind: 'key', place: name, rawKey: key.rawKey } : null)}
        />
      )}
      {open?.kind === 'key' && <NewKey place={open.place} rawKey={open.rawKey} onClose={close} />}
      {open?.kind === 'delete' && <DeleteLocation location={open.location} onClose={close} />}
    </Section>
  )
}

interface LocationRowProps {
  location: PrivateLocation
  onKey: (rawKey: string) => void
  onDelete: () => void
}

function LocationRow({ location, onKey, onDelete }: LocationRowProps) {
  const createKey = useCreateLocationKey()
  const deleteKey = useDeleteLocationKey()
  const { id, name, slugName, agentCount, lastSeen, keys, checkAssignments } = location
  const alive = agentCount ?? 0
  const error = createKey.error ?? deleteKey.error
  return (
    <li className="px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
            {name}
            {location.quarantine !== null ? (
              <Pill tone="ours" icon="wrench">
                In quarantine
              </Pill>
            ) : alive > 0 ? (
              <Pill tone="good" icon="check">
                {plural(alive, 'runner')} alive
              </Pill>
            ) : (
              <Pill tone="warn" icon="pause">
                No runner
              </Pill>
            )}
          </h3>
          <p className="font-mono text-[0.8125rem] text-faint">{slugName}</p>
          <p className="mt-1 text-[0.8125rem] text-soft">
            {plural(checkAssignments.length, 'check')};{' '}
            {lastSeen ? (
              <>
                runner last seen <Ago at={lastSeen} />
              </>
            ) : (
              'no runner has signed in yet'
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {keys.length < MOST_KEYS && (
            <Button
              icon="plus"
              busy={createKey.isPending}
              aria-label={`Create a key for ${name}`}
              onClick={() => createKey.mutate(id, { onSuccess: ({ rawKey }) => onKey(rawKey) })}
            >
              Key
            </Button>
          )}
          <Button icon="trash" look="danger" aria-label={`Delete ${name}`} onClick={onDelete}>
            Delete
          </Button>
        </div>
      </div>
      <ul aria-label={`Keys of ${name}`} className="mt-2 flex flex-wrap gap-x-6">
        {keys.map((key) => (
          <li key={key.id} className="flex items-center gap-1 text-[0.8125rem] text-soft">
            <span>
              Key <code className="font-mono">{key.maskedKey}</code>, made <Ago at={key.created_at} />
            </span>
            <IconButton
              icon="trash"
              label={`Delete the key ${key.maskedKey}; its runners stop within seconds`}
              onClick={() => deleteKey.mutate({ id, keyId: key.id })}
            />
          </li>
        ))}
      </ul>
      {alive > 0 && (
        <>
          <ScriptsNote scripts={location.scripts} isolation={location.isolation} />
          <IsolationNote isolation={location.isolation} />
        </>
      )}
      <QuarantineNotice locations={[location]} />
      {error && <Notice tone="bad">{error.message}</Notice>}
    </li>
  )
}

function DeleteLocation({ location, onClose }: { location: PrivateLocation; onClose: () => void }) {
  const remove = useDeletePrivateLocation()
  return (
    <Confirm
      title="Delete this location?"
      action="Delete"
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate(location.id, { onSuccess: onClose })}
    >
      <p>
        The runners of <strong className="text-ink">{location.name}</strong> can no longer sign in. A location where
        checks still run cannot be deleted.
      </p>
    </Confirm>
  )
}
