import { routes, type Snippet, type SnippetWrite } from '@vedette/schema'
import { call } from './call.ts'

/** Creates a snippet, or replaces the one whose id is given. */
export const saveSnippet = (id: number | null, body: SnippetWrite): Promise<Snippet> =>
  id === null ? call(routes.createSnippet, { body }) : call(routes.updateSnippet, { params: { id }, body })
