/** A target as a process of its own: what it takes to answer is not taken from the runner that asks. Says its port to whoever forked it. */
import http from 'node:http'
import { portOf } from '../../packages/runner/src/testing/builders.ts'

const server = http.createServer((_, response) => response.end('ok'))
server.listen(0, '127.0.0.1', () => process.send?.(portOf(server)))
process.once('disconnect', () => process.exit())
