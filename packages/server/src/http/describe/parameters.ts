/** The parameters of an operation, each with words. */
import type { Route } from '@vedette/schema'
import type { TObject, TSchema } from 'typebox'
import { asList, asTexts, type Json } from './json.ts'
import type { NamedSchemas } from './named-schemas.ts'
import { hasAccount, isRepeatable, isTagged } from './traits.ts'

/** Of parameters that mean the same wherever they are. */
const COMMON: Record<string, string> = {
  limit: 'How many entries at most.',
  page: 'Which page, from 1.',
  nextId: 'The cursor of the previous answer.',
  from: 'Start of the time span, inclusive. UNIX seconds; milliseconds and ISO 8601 are accepted too.',
  to: 'End of the time span, exclusive. UNIX seconds; milliseconds and ISO 8601 are accepted too.',
  tag: 'Only what carries one of these tags. May be repeated.',
  search: 'Part of the name, in any case.',
  name: 'The name.',
  status: 'Only what is in this state.',
  state: 'Only what is in this state.',
  runs: 'How many of the newest runs come along.',
  hours: 'How far to look back.',
  checkType: 'Only this kind of check.',
  checkId: 'Only this check.',
  groupId: 'Only the checks of this group.',
  alertChannelId: 'Only this channel.',
  location: 'Only this location: a region, or the slug of a private location.',
  resultType: 'Final results, single attempts, or both.',
  hasFailures: 'Only what failed, or only what did not.',
  maxWaitSeconds: 'How long to wait at most.',
  applyGroupSettings: 'Show the settings that apply, those of the group included.',
  includeDependencies: 'Show the files that a script brings along.',
  autoAssignAlerts: 'Subscribe a newly created check to all existing alert channels.',
  region: 'The region of a data-center location.',
}

export function parametersOf(route: Route, schemas: NamedSchemas): unknown[] {
  return [
    ...inPlace('path', route, route.params, schemas),
    ...inPlace('query', route, route.query, schemas),
    ...(hasAccount(route) ? [{ $ref: '#/components/parameters/Account' }] : []),
    ...(isRepeatable(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(isTagged(route) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ]
}

export const parameterComponents: Json = {
  Account: {
    name: 'x-service-account',
    in: 'header',
    required: false,
    description: 'The account to act in: needed where a key opens more than one.',
    schema: { type: 'string', format: 'uuid' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Sent again with the same key, the request is not carried out twice but answered as the first time.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of the answer that one has: while it has not changed, 304 is answered without a body.',
    schema: { type: 'string' },
  },
}

function inPlace(place: 'path' | 'query', route: Route, schema: TObject | undefined, schemas: NamedSchemas): Json[] {
  if (schema === undefined) return []
  const required = new Set(asTexts(Reflect.get(schema, 'required')))
  return Object.entries<TSchema>(schema.properties).map(([name, shape]) => {
    const { description: own, ...bare } = Object.assign({ description: undefined }, shape)
    const description = wordsFor(place, route, name, own)
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      ...(description === undefined ? {} : { description }),
      ...(isDeep(bare) ? { style: 'deepObject', explode: true } : {}),
      schema: schemas.refer(bare),
    }
  })
}

function wordsFor(place: 'path' | 'query', route: Route, name: string, own: unknown): string | undefined {
  const words = typeof own === 'string' && own !== 'A UUID.' ? own : undefined
  return words ?? (place === 'path' ? wordsForPath(route, name) : COMMON[name])
}

/** `{id}` is of what the path names before it, `{checkResultId}` says itself of what it is. */
function wordsForPath(route: Route, name: string): string | undefined {
  if (!/id$/i.test(name)) return COMMON[name] ?? `The ${separate(name)}.`
  if (name !== 'id') return `The id of the ${separate(name.replace(/Id$/, ''))}.`
  const before = route.path.split('/').at(route.path.split('/').indexOf('{id}') - 1) ?? ''
  return `The id of the ${separate(singular(before.endsWith('s') ? before : route.tag.toLowerCase()))}.`
}

function singular(word: string): string {
  return word
    .replace(/ies$/, 'y')
    .replace(/(tatus)es$/, '$1')
    .replace(/([^us])s$/, '$1')
}

function separate(name: string): string {
  return name
    .replace(/^(api|dns|icmp|ssl|tcp|url)\b/, (word) => word.toUpperCase())
    .replaceAll('-', ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, last: string, first: string) => `${last} ${first.toLowerCase()}`)
}

/** Objects in a query are written `name[key]=value`. */
function isDeep(schema: object): boolean {
  const isObject = (part: unknown) => Reflect.get(Object(part), 'type') === 'object'
  return isObject(schema) || asList(Reflect.get(schema, 'anyOf')).some(isObject)
}
