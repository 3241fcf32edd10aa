/** Pieces of script that the scripts of an account share. */
import Type, { type Static } from 'typebox'
import { DateTime, Nullable, NumericId } from './shape.ts'

export const SnippetWrite = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The name of its file, without the ending: a script imports `./snippets/<name>.js`.',
  }),
  script: Type.String({ minLength: 1 }),
})
export type SnippetWrite = Static<typeof SnippetWrite>

export const Snippet = Type.Object({
  id: NumericId,
  name: Type.String(),
  script: Type.String(),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type Snippet = Static<typeof Snippet>
