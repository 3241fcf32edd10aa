import Type from 'typebox'
import { ClientCertificate, ClientCertificateCreate } from '../client-certificate.ts'
import { route } from '../route.ts'
import { Uuid } from '../shape.ts'

const tag = 'Client certificates'
const params = Type.Object({ id: Uuid })
const refusals = { 404: 'No such certificate in this account.' }

export const listClientCertificates = route({
  method: 'GET',
  path: '/v1/client-certificates',
  policy: 'read',
  tag,
  summary: 'List client certificates',
  answers: { 200: Type.Array(ClientCertificate) },
})

export const createClientCertificate = route({
  method: 'POST',
  path: '/v1/client-certificates',
  policy: 'write',
  tag,
  summary: 'Add a client certificate',
  description: 'Of several for the same host the newest is shown, and one for the very host before one with `*`.',
  body: ClientCertificateCreate,
  answers: { 201: ClientCertificate },
})

export const getClientCertificate = route({
  method: 'GET',
  path: '/v1/client-certificates/{id}',
  policy: 'read',
  tag,
  summary: 'Get a client certificate',
  params,
  answers: { 200: ClientCertificate },
  refusals,
})

export const deleteClientCertificate = route({
  method: 'DELETE',
  path: '/v1/client-certificates/{id}',
  policy: 'write',
  tag,
  summary: 'Delete a client certificate',
  params,
  answers: { 204: null },
  refusals,
})
