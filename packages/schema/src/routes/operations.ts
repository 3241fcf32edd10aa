import { Health, Operations } from '../health.ts'
import { route } from '../route.ts'

const tag = 'Operations'

export const getHealth = route({
  method: 'GET',
  path: '/health',
  policy: 'public',
  tag,
  summary: 'Whether the service is up; 503 while its database is away',
  answers: { 200: Health, 503: Health },
})

export const getOperations = route({
  method: 'GET',
  path: '/v1/operations',
  policy: 'read',
  tag,
  summary: 'Lateness, coverage, queues and runners, for operators',
  answers: { 200: Operations },
})
