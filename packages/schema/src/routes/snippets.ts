import Type from 'typebox'
import { PageQuery, route } from '../route.ts'
import { NumericId } from '../shape.ts'
import { Snippet, SnippetWrite } from '../snippet.ts'

const tag = 'Snippets'
const params = Type.Object({ id: NumericId })
const refusals = { 404: 'No such snippet in this account.' }
const taken = 'There is a snippet with this name.'
const bodyLimit = 10 * 1024 * 1024

export const listSnippets = route({
  method: 'GET',
  path: '/v1/snippets',
  policy: 'read',
  tag,
  summary: 'List snippets',
  query: Type.Object(PageQuery),
  answers: { 200: Type.Array(Snippet) },
})

export const createSnippet = route({
  method: 'POST',
  path: '/v1/snippets',
  policy: 'write',
  tag,
  summary: 'Create a snippet',
  body: SnippetWrite,
  bodyLimit,
  answers: { 201: Snippet },
  refusals: { 409: taken },
})

export const getSnippet = route({
  method: 'GET',
  path: '/v1/snippets/{id}',
  policy: 'read',
  tag,
  summary: 'Get a snippet',
  params,
  answers: { 200: Snippet },
  refusals,
})

export const updateSnippet = route({
  method: 'PUT',
  path: '/v1/snippets/{id}',
  policy: 'write',
  tag,
  summary: 'Replace a snippet',
  params,
  body: SnippetWrite,
  bodyLimit,
  answers: { 200: Snippet },
  refusals: { ...refusals, 409: taken },
})

export const deleteSnippet = route({
  method: 'DELETE',
  path: '/v1/snippets/{id}',
  policy: 'write',
  tag,
  summary: 'Delete a snippet',
  params,
  answers: { 204: null },
  refusals: { ...refusals, 409: 'A check or a group uses it.' },
})
