/** `/docs`: the description of the API, rendered. */
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { describeApi } from './openapi.ts'

/**
 * What the page may load: its own files. Not that of the plugin, which asks for https even where there is none and lets a
 * validator elsewhere have a look.
 */
const CONTENT_SECURITY_POLICY = {
  'default-src': "'self'",
  'base-uri': "'self'",
  'frame-ancestors': "'none'",
  'img-src': "'self' data:",
  'object-src': "'none'",
  // The one style that the page's own script writes.
  'style-src': "'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
}

const NOTHING = { openapi: '3.0.0', info: { title: '', version: '' }, paths: {} }

/** `describe` is asked when somebody first wants to read it: it costs more than the rest of the start together. */
export async function serveDocs(app: FastifyInstance, describe: () => ReturnType<typeof describeApi>): Promise<void> {
  let description: ReturnType<typeof describeApi> | undefined
  const described = () => {
    description ??= describe()
    return description
  }
  app.get('/openapi.json', (_request, reply) => reply.send(described()))
  // The page wants the other plugin, which knows OpenAPI 3.0 only and is given nothing to read.
  await app.register(fastifySwagger, { mode: 'static', specification: { document: NOTHING } })
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    transformSpecificationClone: false,
    transformSpecification: () => described(),
    staticCSP: CONTENT_SECURITY_POLICY,
    uiConfig: {
      deepLinking: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      docExpansion: 'none', // a page with every operation drawn takes long to appear
      filter: true,
      validatorUrl: null,
    },
    theme: { title: 'Vedette API' },
  })
}
