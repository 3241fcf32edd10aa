/** How a runner keeps the scripts of users apart from its machine. */
import Type, { type Static } from 'typebox'

/** From the strongest to the weakest; `none`: scripts do not run there. */
export const ISOLATION_LEVELS = ['strict', 'namespaces', 'reduced'] as const
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number]

/** What a machine adds to a level: a filter of the kernel's calls, a control group with limits of its own. */
export const ISOLATION_LAYERS = ['seccomp', 'cgroup'] as const
export type IsolationLayer = (typeof ISOLATION_LAYERS)[number]

export const Isolation = Type.Object(
  {
    level: Type.Enum([...ISOLATION_LEVELS, 'none'], {
      description:
        'What keeps scripts apart from the machine: `strict`, an empty root without any network but through the runner; `namespaces`, no networks and processes of the machine; `reduced`, only the permissions of Node.js; `none`, scripts do not run there.',
    }),
    layers: Type.Array(Type.Enum(ISOLATION_LAYERS), {
      maxItems: ISOLATION_LAYERS.length,
      description:
        'What is added: `seccomp`, calls of the kernel that no script needs are denied; `cgroup`, the kernel limits the memory and processes of each script.',
    }),
  },
  { description: 'How scripts are kept apart from the machine that runs them.' },
)
export type Isolation = Static<typeof Isolation>
