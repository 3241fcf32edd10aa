import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { amzDate, authorization } from './s3-signature.ts'

/** The examples of the service's own documentation. */
const key = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const host = 'examplebucket.s3.amazonaws.com'

function signatureOf(method: string, path: string, body = '', more: Record<string, string> = {}): string | undefined {
  const headers = {
    host,
    'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
    'x-amz-date': amzDate(Date.UTC(2013, 4, 24)),
    ...more,
  }
  return authorization(key, { method, url: new URL(path, `https://${host}`), headers }).split('Signature=')[1]
}

test('requests are signed as in the published examples', () => {
  assert.equal(
    signatureOf('GET', '/test.txt', '', { range: 'bytes=0-9' }),
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
  assert.equal(
    signatureOf('PUT', '/test$file.text', 'Welcome to Amazon S3.', {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    }),
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  )
  assert.equal(signatureOf('GET', '/?lifecycle'), 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543')
  assert.equal(
    signatureOf('GET', '/?max-keys=2&prefix=J'),
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  )
})
