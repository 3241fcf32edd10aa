import { spawn } from 'node:child_process'
import net from 'node:net'
import type { TestContext } from 'node:test'

/** A process that listens and stands still: when its queue is full, no more connections come about. */
export async function startBlackHole(t: TestContext): Promise<number> {
  const listener =
    "const s = require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(s.address().port))"
  const child = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const port = Number(await new Promise<Buffer>((resolve) => child.stdout.once('data', resolve)))
  child.kill('SIGSTOP')
  for (let filler = 0; filler < 4; filler += 1) {
    const socket = net.connect(port, '127.0.0.1').on('error', () => {})
    t.after(() => socket.destroy())
  }
  return port
}
