/** A Fastify route that does nothing but serialise an answer: what a simple read is compared with. */
import Fastify from 'fastify'

const answer: unknown = JSON.parse(process.env.ANSWER ?? 'null')
const app = Fastify({ logger: false })
app.get('/read', async () => answer)
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.(url)
process.once('disconnect', () => process.exit(0))
