import Type from 'typebox'
import { AlertChannel, AlertChannelWrite, ChannelSubscription, SubscriptionUpdate } from '../alert-channel.ts'
import { ChannelTest, ChannelTestWish } from '../channel-test.ts'
import { PageQuery, route } from '../route.ts'
import { NumericId } from '../shape.ts'

const tag = 'Alert channels'
const params = Type.Object({ id: NumericId })
const refusals = { 404: 'No such channel in this account.' }

export const listAlertChannels = route({
  method: 'GET',
  path: '/v1/alert-channels',
  policy: 'read',
  tag,
  summary: 'List alert channels with their subscriptions',
  query: Type.Object(PageQuery),
  answers: { 200: Type.Array(AlertChannel) },
})

export const createAlertChannel = route({
  method: 'POST',
  path: '/v1/alert-channels',
  policy: 'write',
  tag,
  summary: 'Create an alert channel',
  body: AlertChannelWrite,
  answers: { 201: AlertChannel },
})

export const getAlertChannel = route({
  method: 'GET',
  path: '/v1/alert-channels/{id}',
  policy: 'read',
  tag,
  kept: true,
  summary: 'Get an alert channel',
  params,
  answers: { 200: AlertChannel },
  refusals,
})

export const updateAlertChannel = route({
  method: 'PUT',
  path: '/v1/alert-channels/{id}',
  policy: 'write',
  tag,
  summary: 'Update an alert channel: its type and configuration anew, the rest where the body names it',
  params,
  body: AlertChannelWrite,
  answers: { 200: AlertChannel },
  refusals,
})

export const deleteAlertChannel = route({
  method: 'DELETE',
  path: '/v1/alert-channels/{id}',
  policy: 'write',
  tag,
  summary: 'Delete an alert channel',
  params,
  answers: { 204: null },
  refusals,
})

export const testAlertChannel = route({
  method: 'POST',
  path: '/v1/alert-channels/{id}/test',
  policy: 'write',
  tag,
  summary: 'Send a sample message through a channel at once, and answer what was said',
  description:
    'It is sent as a notification would be, once and without being kept; the audit log tells that it was asked for. A sample of a recovery closes what a sample of a failure has opened. Waits until the other side has answered: 25 seconds at most.',
  params,
  rate: { requests: 10, seconds: 60 },
  body: ChannelTestWish,
  bodyOptional: true,
  answers: { 200: ChannelTest },
  refusals,
})

export const subscribe = route({
  method: 'PUT',
  path: '/v1/alert-channels/{id}/subscriptions',
  policy: 'write',
  tag,
  summary: 'Subscribe a check or a group to a channel, or change its subscription',
  params,
  body: SubscriptionUpdate,
  answers: { 200: ChannelSubscription },
  refusals: { 404: 'No such channel, check or group in this account.' },
})
