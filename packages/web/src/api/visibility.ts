/** Who may read the value of a variable. */
import type { Variable } from '@vedette/schema'

export const VISIBILITIES = ['plain', 'locked', 'secret'] as const
export type Visibility = (typeof VISIBILITIES)[number]

export const visibilityWords: { readonly [V in Visibility]: { label: string; about: string } } = {
  plain: { label: 'Plain', about: 'Everybody in the account reads it.' },
  locked: {
    label: 'Locked',
    about: 'Only those who may change settings read it; in results it is replaced by asterisks.',
  },
  secret: {
    label: 'Secret',
    about: 'Nobody can ever read it again, you included; in results it is replaced by asterisks. It stays secret.',
  },
}

export const visibilityOf = ({ locked, secret }: Pick<Variable, 'locked' | 'secret'>): Visibility =>
  secret ? 'secret' : locked ? 'locked' : 'plain'
