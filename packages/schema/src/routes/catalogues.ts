import Type from 'typebox'
import { route } from '../route.ts'
import { Runtime } from '../runtime.ts'

const tag = 'Catalogues'
const addresses = Type.Array(Type.String())
const addressesByRegion = Type.Record(Type.String(), addresses)

export const listRuntimes = route({
  method: 'GET',
  path: '/v1/runtimes',
  policy: 'public',
  tag,
  summary: 'List the runtimes',
  answers: { 200: Type.Array(Runtime) },
})

export const getRuntime = route({
  method: 'GET',
  path: '/v1/runtimes/{id}',
  policy: 'public',
  tag,
  summary: 'Get a runtime',
  params: Type.Object({ id: Type.String() }),
  answers: { 200: Runtime },
  refusals: { 404: 'No such runtime.' },
})

export const listStaticIps = route({
  method: 'GET',
  path: '/v1/static-ips',
  policy: 'public',
  tag,
  summary: 'List the IPv4 addresses from which checks come',
  answers: { 200: addresses },
})

export const staticIpsByRegion = route({
  method: 'GET',
  path: '/v1/static-ips-by-region',
  policy: 'public',
  tag,
  summary: 'List the IPv4 addresses from which checks come, by location',
  answers: { 200: addressesByRegion },
})

export const staticIpsText = route({
  method: 'GET',
  path: '/v1/static-ips.txt',
  policy: 'public',
  tag,
  summary: 'List the IPv4 addresses from which checks come, one a line',
  media: 'text/plain',
  answers: { 200: Type.String() },
})

export const listStaticIpv6s = route({
  method: 'GET',
  path: '/v1/static-ipv6s',
  policy: 'public',
  tag,
  summary: 'List the IPv6 networks from which checks come',
  answers: { 200: addresses },
})

export const staticIpv6sByRegion = route({
  method: 'GET',
  path: '/v1/static-ipv6s-by-region',
  policy: 'public',
  tag,
  summary: 'List the IPv6 networks from which checks come, by location',
  answers: { 200: addressesByRegion },
})

export const staticIpv6sText = route({
  method: 'GET',
  path: '/v1/static-ipv6s.txt',
  policy: 'public',
  tag,
  summary: 'List the IPv6 networks from which checks come, one a line',
  media: 'text/plain',
  answers: { 200: Type.String() },
})
