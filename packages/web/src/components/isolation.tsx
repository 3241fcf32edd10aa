import type { Isolation } from '@vedette/schema'
import type { IconName } from './icon.tsx'
import { Notice, Pill, type Tone } from './notice.tsx'

interface Look {
  word: string
  tone: Tone
  icon: IconName
  sentence: string
}

const looks: Readonly<Record<Isolation['level'], Look>> = {
  strict: {
    word: 'Strict',
    tone: 'good',
    icon: 'check',
    sentence: 'Scripts run in an empty root without a network of their own',
  },
  namespaces: {
    word: 'Namespaces',
    tone: 'idle',
    icon: 'group',
    sentence: 'Scripts see no networks and processes of the machine; only Node.js keeps its files from them',
  },
  reduced: {
    word: 'Reduced',
    tone: 'warn',
    icon: 'slow',
    sentence:
      'Scripts run beside everything else on the machine and on its networks: nothing but Node.js keeps them apart. Install bubblewrap there, or let only people you trust write checks',
  },
  none: {
    word: 'No scripts',
    tone: 'warn',
    icon: 'pause',
    sentence:
      'Checks with scripts end in error: the machine cannot keep scripts apart from itself. Install bubblewrap there',
  },
}

const layerWords: Readonly<Record<Isolation['layers'][number], string>> = {
  seccomp: 'behind a filter of system calls',
  cgroup: 'with limits of memory and processes that the kernel keeps',
}

export function isolationWords(isolation: Isolation | null): string {
  if (isolation === null) return 'Not found out yet'
  const { sentence } = looks[isolation.level]
  const added = isolation.layers.map((layer) => layerWords[layer])
  return `${[sentence, ...added].join(', ')}.`
}

export function IsolationPill({ isolation }: { isolation: Isolation | null }) {
  if (isolation === null) return null
  const { word, tone, icon } = looks[isolation.level]
  return (
    <Pill tone={tone} icon={icon}>
      {word}
    </Pill>
  )
}

/** What keeps scripts apart in a place; a warning where little does. */
export function IsolationNote({ isolation }: { isolation: Isolation | null }) {
  if (isolation === null) return null
  if (looks[isolation.level].tone === 'warn') return <Notice tone="warn">{isolationWords(isolation)}</Notice>
  return <p className="mt-2 max-w-[68ch] text-[0.8125rem] text-faint">{isolationWords(isolation)}</p>
}
