import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judges } from '@vedette/core'
import type { UrlSettings } from '@vedette/schema'
import { answering, runContext } from '../testing/builders.ts'
import { urlProbe } from './url.ts'

const settings = (url: string, rest: Partial<UrlSettings['request']> = {}): UrlSettings => ({
  request: { url, ...rest },
  shouldFail: false,
  degradedResponseTime: 3000,
  maxResponseTime: 5000,
})

test('opens the address, follows redirects, and is judged by the status', async (t) => {
  const end = await answering(t, 'HTTP/1.1 204 No Content\r\n\r\n')
  const port = await answering(
    t,
    `HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${end}/\r\ncontent-length: 0\r\n\r\n`,
  )
  const look = async (rest: Partial<UrlSettings['request']> = {}) => {
    const asked = settings(`http://127.0.0.1:${port}/`, rest)
    const observation = await urlProbe.observe(asked, runContext())
    const { verdict, error } = judges.URL(asked, observation)
    return [observation.request.method, observation.response?.status, verdict, error]
  }
  assert.deepEqual(await look(), ['GET', 204, 'passed', null])
  assert.deepEqual(await look({ followRedirects: false }), ['GET', 302, 'passed', null])
  const expected = [{ source: 'STATUS_CODE', comparison: 'LESS_THAN', target: '204' } as const]
  assert.deepEqual(await look({ assertions: expected }), [
    'GET',
    204,
    'failed',
    'status code: expected 204 to be less than 204',
  ])
})
