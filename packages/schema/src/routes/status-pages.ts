import Type from 'typebox'
import { CursorPage, CursorQuery, route } from '../route.ts'
import { Uuid } from '../shape.ts'
import {
  BulkSubscription,
  BulkSubscriptionOutcome,
  StatusPage,
  StatusPageSubscription,
  StatusPageWrite,
} from '../status-page.ts'
import { StatusPageService, StatusPageServiceWrite } from '../status-page-service.ts'

const tag = 'Status pages'
const params = Type.Object({ statusPageId: Uuid })
const refusals = { 404: 'No such status page in this account.' }
const writeRefusals = {
  404: 'No such status page, or no such service, in this account.',
  409: 'The URL or the custom domain is taken.',
}

export const listStatusPages = route({
  method: 'GET',
  path: '/v1/status-pages',
  policy: 'read',
  tag,
  summary: 'List status pages',
  query: Type.Object(CursorQuery),
  answers: { 200: CursorPage(StatusPage) },
})

export const createStatusPage = route({
  method: 'POST',
  path: '/v1/status-pages',
  policy: 'write',
  tag,
  summary: 'Create a status page',
  body: StatusPageWrite,
  answers: { 201: StatusPage },
  refusals: writeRefusals,
})

export const getStatusPage = route({
  method: 'GET',
  path: '/v1/status-pages/{statusPageId}',
  policy: 'read',
  tag,
  summary: 'Get a status page',
  params,
  answers: { 200: StatusPage },
  refusals,
})

export const updateStatusPage = route({
  method: 'PUT',
  path: '/v1/status-pages/{statusPageId}',
  policy: 'write',
  tag,
  summary: 'Update a status page; its cards are replaced, absent fields keep their value',
  params,
  body: StatusPageWrite,
  answers: { 200: StatusPage },
  refusals: writeRefusals,
})

export const deleteStatusPage = route({
  method: 'DELETE',
  path: '/v1/status-pages/{statusPageId}',
  policy: 'write',
  tag,
  summary: 'Delete a status page with its cards and subscriptions',
  params,
  answers: { 204: null },
  refusals,
})

export const listStatusPageSubscriptions = route({
  method: 'GET',
  path: '/v1/status-pages/{statusPageId}/subscriptions',
  policy: 'read',
  tag,
  summary: 'List who hears of incidents on a status page',
  params,
  answers: { 200: Type.Array(StatusPageSubscription) },
  refusals,
})

export const createStatusPageSubscriptions = route({
  method: 'POST',
  path: '/v1/status-pages/{statusPageId}/subscriptions/bulk',
  policy: 'write',
  tag,
  summary: 'Subscribe many addresses to a status page',
  description:
    'Each is asked by mail, if there is a mail server, and verified once the link in it was opened. Who does not answer within two days is forgotten.',
  params,
  body: BulkSubscription,
  answers: { 201: BulkSubscriptionOutcome },
  refusals,
})

export const deleteStatusPageSubscription = route({
  method: 'DELETE',
  path: '/v1/status-pages/{statusPageId}/subscriptions/{subscriptionId}',
  policy: 'write',
  tag,
  summary: 'Delete a subscription',
  params: Type.Object({ statusPageId: Uuid, subscriptionId: Uuid }),
  answers: { 204: null },
  refusals: { 404: 'No such subscription.' },
})

const serviceTag = 'Status page services'
const serviceParams = Type.Object({ serviceId: Uuid })
const serviceRefusals = { 404: 'No such service in this account.' }

export const listStatusPageServices = route({
  method: 'GET',
  path: '/v1/status-pages/services',
  policy: 'read',
  tag: serviceTag,
  summary: 'List services',
  query: Type.Object({
    ...CursorQuery,
    paginated: Type.Optional(Type.Boolean({ default: true, description: 'False answers all of them at once.' })),
  }),
  answers: { 200: CursorPage(StatusPageService) },
})

export const createStatusPageService = route({
  method: 'POST',
  path: '/v1/status-pages/services',
  policy: 'write',
  tag: serviceTag,
  summary: 'Create a service',
  body: StatusPageServiceWrite,
  answers: { 201: StatusPageService },
})

export const getStatusPageService = route({
  method: 'GET',
  path: '/v1/status-pages/services/{serviceId}',
  policy: 'read',
  tag: serviceTag,
  summary: 'Get a service',
  params: serviceParams,
  answers: { 200: StatusPageService },
  refusals: serviceRefusals,
})

export const updateStatusPageService = route({
  method: 'PUT',
  path: '/v1/status-pages/services/{serviceId}',
  policy: 'write',
  tag: serviceTag,
  summary: 'Rename a service',
  params: serviceParams,
  body: StatusPageServiceWrite,
  answers: { 200: StatusPageService },
  refusals: serviceRefusals,
})

export const deleteStatusPageService = route({
  method: 'DELETE',
  path: '/v1/status-pages/services/{serviceId}',
  policy: 'write',
  tag: serviceTag,
  summary: 'Delete a service',
  description: 'It goes from the cards and incidents that show it; checks open no more incidents on it.',
  params: serviceParams,
  answers: { 204: null },
  refusals: serviceRefusals,
})
