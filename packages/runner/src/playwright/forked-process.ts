/** A run in a process that was forked, as if it had been started: what `native/fork.c` says, told as of any process. */
import { chmod } from 'node:fs/promises'
import net from 'node:net'
import { constants } from 'node:os'
import { basename, join } from 'node:path'
import { GATE_FD } from '../scripts/isolation.ts'
import type { Hearer, Launched } from '../scripts/launcher.ts'
import { eachLines, LONGEST_LINE } from '../scripts/lines.ts'
import type { TemplateProcess } from './template-process.ts'

/** In the order in which it connects, after its line to us: errors and output are told together. */
const DESCRIPTORS: readonly number[] = [2, 3, 4]
/** What does not end when it is to is not waited for any longer. */
const CLEANUP_MS = 2000
/** No script can do that: it reaches neither the template nor the first process of its run. */
const LOST = 'it was ended from outside, with what watched over it'

export interface Forking {
  template: TemplateProcess
  /** Made by it. */
  place: string
  /** Characters that may have come in all when some come from a descriptor. */
  limits: Readonly<Record<number, number>>
  /** Whether it begins only when `GATE_FD` was written to. */
  isGated: boolean
}

export function forkProcess({ template, place, limits, isGated }: Forking, hearer: Hearer): Launched {
  const sockets: net.Socket[] = []
  let isKilled = false
  let hasEnded = false
  let total = 0
  let code: number | null = null
  let signal: string | null = null
  let fault: string | null = null
  let takeBack = () => {}
  /** As the template knows it. */
  let inside: number | null = null
  const pid = () => (inside === null ? null : template.pidOf(inside))

  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    const place = sockets.push(socket) - 1
    if (place === 0) return hearLine(socket)
    const descriptor = DESCRIPTORS[place - 1]
    if (descriptor === undefined) return void socket.destroy()
    // Nobody else is to come.
    if (place === DESCRIPTORS.length) server.close()
    const limit = limits[descriptor]
    // Nothing comes from there, but its end does.
    if (limit === undefined) return void socket.resume()
    eachLines(
      socket,
      (lines, onSaid) => {
        hearer.lines(descriptor, lines)
        // Others have their turn before more is read: whoever writes without end would hold them up.
        setImmediate(onSaid)
      },
      (length, lineLength) => {
        total += length
        if (total <= limit && lineLength <= LONGEST_LINE) return true
        hearer.tooMuch(descriptor)
        kill()
        return false
      },
    )
  })

  function hearLine(line: net.Socket): void {
    takeBack()
    if (isKilled) line.end()
    else if (!isGated) line.write('g')
    eachLines(
      line,
      (lines, onSaid) => {
        for (const text of lines) hear(text)
        onSaid()
      },
      () => true,
    )
    // When all of the run is gone, and what it has said before is here.
    line.once('close', () => Promise.all(sockets.map(closed)).then(() => end(isLost() ? LOST : null)))
  }

  function hear(text: string): void {
    const [what = '', ...rest] = text.split(' ')
    const number = Number(rest[0])
    if (what === 'pid') {
      inside = number
      if (!isGated) return
      const found = pid()
      if (found !== null) hearer.started(found)
      else {
        fault = 'it cannot be found'
        kill()
      }
    } else if (what === 'exit') code = number
    else if (what === 'signal') signal = nameOf(number)
    else if (what === 'used') hearer.usedUp?.(rest[0] === 'tasks' ? 'tasks' : 'bytes')
    else if (what === 'fault') fault = rest.join(' ')
  }

  /** Nothing was said of its end, and it was not we who ended it. */
  function isLost(): boolean {
    return !isKilled && code === null && signal === null
  }

  function end(error: string | null): void {
    if (hasEnded) return
    hasEnded = true
    takeBack()
    server.close()
    for (const socket of sockets) socket.destroy()
    hearer.ended({ code, signal, error: fault ?? error })
  }

  function kill(): void {
    if (isKilled || hasEnded) return
    isKilled = true
    const [line] = sockets
    line?.end()
    const giveUp = () => {
      // Whatever it is that does not let go: nothing of it may stay.
      if (!hasEnded && line !== undefined) template.kill()
      end(null)
    }
    setTimeout(giveUp, CLEANUP_MS).unref()
  }

  const path = join(place, 'run.sock')
  server.once('error', (error) => end(error.message))
  server.listen(path, () => {
    chmod(path, 0o777).then(
      () => {
        if (!isKilled) takeBack = template.order(basename(place), end)
      },
      (error: Error) => end(error.message),
    )
  })
  return {
    write: (descriptor, text) => {
      if (descriptor === GATE_FD) sockets[0]?.write('g')
      else if (DESCRIPTORS.includes(descriptor)) sockets[DESCRIPTORS.indexOf(descriptor) + 1]?.write(text)
    },
    kill,
    pid,
  }
}

function closed(socket: net.Socket): Promise<void> {
  return socket.destroyed || socket.readableEnded
    ? Promise.resolve()
    : new Promise((resolve) => {
        socket.once('end', resolve)
        socket.once('close', resolve)
      })
}

function nameOf(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`
}
