/** `/docs`: the description of the API, rendered. */
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { describeApi } from './openapi.ts'

export async function serveDocs(app: FastifyInstance, description: ReturnType<typeof describeApi>): Promise<void> {
  app.get('/openapi.json', (_request, reply) => reply.send(description))
  // A plain copy: the plugin's types know OpenAPI 3.0 only, its page shows 3.1 as well.
  await app.register(fastifySwagger, {
    mode: 'static',
    specification: { document: JSON.parse(JSON.stringify(description)) },
  })
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { deepLinking: true, displayRequestDuration: true, tryItOutEnabled: true },
    theme: { title: 'Vedette API' },
  })
}
