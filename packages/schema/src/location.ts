/** Where checks run: data-center locations, known by their region, and private locations, known by their slug. */
import Type, { type Static } from 'typebox'
import { Isolation } from './isolation.ts'
import { LocationScripts } from './runtime.ts'
import { DateTime, Nullable, Uuid } from './shape.ts'

/** Region → the name people know it by. */
export const DATA_CENTER_NAMES = {
  'us-east-1': 'N. Virginia',
  'us-east-2': 'Ohio',
  'us-west-1': 'N. California',
  'us-west-2': 'Oregon',
  'ca-central-1': 'Montreal',
  'sa-east-1': 'São Paulo',
  'eu-west-1': 'Ireland',
  'eu-central-1': 'Frankfurt',
  'eu-west-2': 'London',
  'eu-west-3': 'Paris',
  'eu-north-1': 'Stockholm',
  'eu-south-1': 'Milan',
  'me-south-1': 'Bahrain',
  'ap-southeast-1': 'Singapore',
  'ap-northeast-1': 'Tokyo',
  'ap-east-1': 'Hong Kong',
  'ap-southeast-2': 'Sydney',
  'ap-southeast-3': 'Jakarta',
  'ap-northeast-2': 'Seoul',
  'ap-northeast-3': 'Osaka',
  'ap-south-1': 'Mumbai',
  'af-south-1': 'Cape Town',
} as const

export const DATA_CENTERS = [
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
  'ca-central-1',
  'sa-east-1',
  'eu-west-1',
  'eu-central-1',
  'eu-west-2',
  'eu-west-3',
  'eu-north-1',
  'eu-south-1',
  'me-south-1',
  'ap-southeast-1',
  'ap-northeast-1',
  'ap-east-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'af-south-1',
] as const satisfies readonly (keyof typeof DATA_CENTER_NAMES)[]
export const DataCenter = Type.Enum(DATA_CENTERS)
export type DataCenter = Static<typeof DataCenter>

/** Letters, digits and hyphens that cannot be taken for a data-center region. */
export const SLUG_PATTERN =
  '^((?!((us(-gov)?|ap|ca|cn|eu|sa|af|me)-(central|(north|south)?(east|west)?)-\\d+))[a-zA-Z0-9-]{1,30})$'

const quarantine = Nullable(
  Type.String({
    description:
      'Why nothing that the runners of this location find is believed now: their own network or name server is gone. Runs go elsewhere where they can; the others end in error and blame no target. Null: all is well, or nobody serves the location.',
  }),
)

const isolation = Nullable(Isolation, {
  description:
    'How scripts are kept apart from the machine where runs of this location are carried out now: what holds for all runners that are there. Null: nobody is there, or none has said.',
})

const scripts = Nullable(LocationScripts)

export const Location = Type.Object({
  region: Type.String(),
  name: Type.String(),
  servedBy: Type.Enum(['built-in', 'runner', 'nobody'], {
    description:
      'Who runs checks for this location now: the runner on this installation’s own machine, a runner that signed in from elsewhere, or nobody.',
  }),
  quarantine,
  isolation,
  scripts,
})
export type Location = Static<typeof Location>

/** A key with which runners of a location sign in. `rawKey` is filled only in the answer that creates it. */
export const LocationKey = Type.Object({
  id: Uuid,
  rawKey: Type.String(),
  maskedKey: Type.String(),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type LocationKey = Static<typeof LocationKey>

export const PrivateLocation = Type.Object({
  id: Uuid,
  name: Type.String(),
  slugName: Type.String(),
  icon: Type.String(),
  proxyUrl: Nullable(Type.String()),
  keys: Type.Array(LocationKey),
  lastSeen: Nullable(DateTime),
  agentCount: Nullable(Type.Integer()),
  quarantine,
  isolation,
  scripts,
  checkAssignments: Type.Array(
    Type.Object({ id: Type.String(), checkId: Type.String(), privateLocationId: Type.String() }),
  ),
  groupAssignments: Type.Array(
    Type.Object({ id: Type.String(), groupId: Type.Number(), privateLocationId: Type.String() }),
  ),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type PrivateLocation = Static<typeof PrivateLocation>

export const PrivateLocationCreate = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  slugName: Type.String({ pattern: SLUG_PATTERN }),
  icon: Type.Optional(Type.String({ maxLength: 100, default: 'location' })),
  proxyUrl: Type.Optional(Nullable(Type.String({ maxLength: 2048 }))),
})
export type PrivateLocationCreate = Static<typeof PrivateLocationCreate>

export const PrivateLocationUpdate = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  icon: Type.Optional(Type.String({ maxLength: 100 })),
  proxyUrl: Type.Optional(Nullable(Type.String({ maxLength: 2048 }))),
})
export type PrivateLocationUpdate = Static<typeof PrivateLocationUpdate>

/** What waited at a private location, minute by minute: three lists of one length. */
export const LocationMetrics = Type.Object({
  timestamps: Type.Array(DateTime),
  queueSize: Type.Array(Type.Integer({ description: 'Runs that were due and that nobody had taken.' })),
  oldestScheduledCheckRun: Type.Array(Type.Number({ description: 'Seconds that the oldest of them had waited.' })),
})
export type LocationMetrics = Static<typeof LocationMetrics>
