/** The baseline, a process of its own: bare `node:http(s)` requests over fresh connections at a steady rate. */
import http from 'node:http'
import https from 'node:https'

const [, , url = '', rate = '500', seconds = '10'] = process.argv
const get = url.startsWith('https:') ? https.get : http.get
const options = { agent: false, rejectUnauthorized: false }

let done = 0
let failed = 0

function request(): void {
  get(url, options, (response) => {
    response.on('data', () => {})
    response.on('end', () => {
      done += 1
    })
  }).on('error', () => {
    failed += 1
  })
}

/** Sends what is due every few milliseconds, as a scheduler with a timer would. */
function send(forSeconds: number): Promise<void> {
  const startedAt = performance.now()
  let sent = 0
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const elapsed = performance.now() - startedAt
      const due = Math.min((elapsed / 1000) * Number(rate), forSeconds * Number(rate))
      for (; sent < due; sent += 1) request()
      if (elapsed < forSeconds * 1000) return
      clearInterval(timer)
      setTimeout(resolve, 300)
    }, 2)
  })
}

await send(2)
done = 0
const before = process.cpuUsage()
await send(Number(seconds))
const used = process.cpuUsage(before)
process.send?.({ done, failed, cpuUsPerRequest: (used.user + used.system) / done })
process.disconnect?.()
