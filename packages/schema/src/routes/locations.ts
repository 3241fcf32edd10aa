import Type from 'typebox'
import {
  DataCenter,
  Location,
  LocationKey,
  LocationMetrics,
  PrivateLocation,
  PrivateLocationCreate,
  PrivateLocationUpdate,
} from '../location.ts'
import { route } from '../route.ts'
import { Uuid } from '../shape.ts'

const params = Type.Object({ id: Uuid })
const refusals = { 404: 'No such private location in this account.' }

export const listLocations = route({
  method: 'GET',
  path: '/v1/locations',
  policy: 'public',
  tag: 'Locations',
  summary: 'List the data-center locations and who serves them',
  answers: { 200: Type.Array(Location) },
})

export const createDataCenterKey = route({
  method: 'POST',
  path: '/v1/locations/{region}/keys',
  policy: 'operator',
  tag: 'Locations',
  summary: 'Create a key for a runner elsewhere that takes over a data-center location',
  params: Type.Object({ region: DataCenter }),
  answers: { 201: LocationKey },
})

export const listDataCenterKeys = route({
  method: 'GET',
  path: '/v1/locations/{region}/keys',
  policy: 'operator',
  tag: 'Locations',
  summary: 'List the keys of a data-center location',
  params: Type.Object({ region: DataCenter }),
  answers: { 200: Type.Array(LocationKey) },
})

export const deleteDataCenterKey = route({
  method: 'DELETE',
  path: '/v1/locations/{region}/keys/{keyId}',
  policy: 'operator',
  tag: 'Locations',
  summary: 'Delete a key of a data-center location; its runners stop within seconds',
  params: Type.Object({ region: DataCenter, keyId: Uuid }),
  answers: { 204: null },
  refusals: { 404: 'No such key.' },
})

const tag = 'Private locations'

export const listPrivateLocations = route({
  method: 'GET',
  path: '/v1/private-locations',
  policy: 'read',
  tag,
  summary: 'List private locations',
  answers: { 200: Type.Array(PrivateLocation) },
})

export const createPrivateLocation = route({
  method: 'POST',
  path: '/v1/private-locations',
  policy: 'admin',
  tag,
  summary: 'Create a private location with its first key',
  body: PrivateLocationCreate,
  answers: { 201: PrivateLocation },
  refusals: { 409: 'The slug is taken.' },
})

export const getPrivateLocation = route({
  method: 'GET',
  path: '/v1/private-locations/{id}',
  policy: 'read',
  tag,
  summary: 'Get a private location',
  params,
  answers: { 200: PrivateLocation },
  refusals,
})

export const updatePrivateLocation = route({
  method: 'PUT',
  path: '/v1/private-locations/{id}',
  policy: 'admin',
  tag,
  summary: 'Update a private location',
  params,
  body: PrivateLocationUpdate,
  answers: { 200: PrivateLocation },
  refusals,
})

export const deletePrivateLocation = route({
  method: 'DELETE',
  path: '/v1/private-locations/{id}',
  policy: 'admin',
  tag,
  summary: 'Delete a private location',
  params,
  answers: { 204: null },
  refusals: { ...refusals, 409: 'Checks or groups still run there.' },
})

export const createLocationKey = route({
  method: 'POST',
  path: '/v1/private-locations/{id}/keys',
  policy: 'admin',
  tag,
  summary: 'Create a further key; a location has two at most',
  params,
  answers: { 201: LocationKey },
  refusals: { ...refusals, 409: 'There are two keys already.' },
})

export const deleteLocationKey = route({
  method: 'DELETE',
  path: '/v1/private-locations/{id}/keys/{keyId}',
  policy: 'admin',
  tag,
  summary: 'Delete a key; its runners stop within seconds',
  params: Type.Object({ id: Uuid, keyId: Uuid }),
  answers: { 204: null },
  refusals,
})

const instant = Type.String({ maxLength: 40, description: 'UNIX seconds, less than 15 days ago.' })

export const getLocationMetrics = route({
  method: 'GET',
  path: '/v1/private-locations/{id}/metrics',
  policy: 'read',
  tag,
  summary: 'Get how many runs waited at a private location, minute by minute',
  params,
  query: Type.Object({ from: instant, to: instant }),
  rate: { requests: 300, seconds: 86_400 },
  answers: { 200: LocationMetrics },
  refusals,
})
