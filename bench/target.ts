/** The target of the benchmarks, a process of its own: answers a small JSON document over HTTP or HTTPS. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BODY = JSON.stringify({ user: { name: 'Ada' }, items: [1, 2, 3] })

const answer: http.RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) })
  response.end(BODY)
}

function secure(): https.Server {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-bench-'))
  const key = join(folder, 'key.pem')
  const cert = join(folder, 'cert.pem')
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' })
  return https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, answer)
}

const server = process.argv[2] === 'https' ? secure() : http.createServer(answer)
server.keepAliveTimeout = 1
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
process.on('disconnect', () => process.exit(0))
