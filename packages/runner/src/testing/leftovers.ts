/** What scripts leave behind: nothing. Told apart from what other tests do by a folder for temporary files of its own. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

const INSIDE = fileURLToPath(new URL('../scripts/inside.ts', import.meta.url))

/** For all that is made while the test lasts. */
export function ownTemporaryFolder(t: TestContext): string {
  const before = process.env.TMPDIR
  const folder = fs.mkdtempSync(join(tmpdir(), 'vedette-scripts-'))
  // Whoever a script runs as must get to its socket.
  fs.chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    fs.rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

export function filesLeft(folder: string): string[] {
  return fs.readdirSync(folder)
}

/** Waits until no more than so many processes are left whose scripts were started with this folder. */
export const processesLeft = (folder: string, most: number) => left(() => processesOf(folder), most)

/** The same of scripts of Playwright, and all that they started. */
export const playwrightProcessesLeft = (folder: string, most: number) => left(() => playwrightProcessesOf(folder), most)

async function left(find: () => readonly string[], most: number): Promise<void> {
  for (let turn = 0; turn < 400; turn += 1) {
    if (find().length <= most) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  assert.fail(`processes of scripts are left: ${find().join(', ')}`)
}

function read(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The tools name the folder in their arguments; in an empty root, the list of what is mounted does. */
export function processesOf(folder: string): string[] {
  return fs.readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    const command = read(`/proc/${pid}/cmdline`)
    return command.includes(INSIDE) && (command.includes(folder) || read(`/proc/${pid}/mountinfo`).includes(folder))
  })
}

/** What a script starts may be anything: it is known by where it is. */
export function playwrightProcessesOf(folder: string): string[] {
  return fs.readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) return false
    if (['cmdline', 'mountinfo', 'environ'].some((file) => read(`/proc/${pid}/${file}`).includes(folder))) return true
    try {
      return fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    } catch {
      return false
    }
  })
}

/**
 * What runs are copied from, and the copies: known by how many namespaces of processes they are in.
 * @param folder or a part of its name
 */
export function forkingProcessesOf(folder: string): { templates: number[]; copies: number[] } {
  const found = fs.readdirSync('/proc').flatMap((pid) => {
    if (!/main\.ts\0forked\0/.test(read(`/proc/${pid}/cmdline`))) return []
    if (!read(`/proc/${pid}/mountinfo`).includes(folder)) return []
    const numbers = /^NSpid:\t(.*)$/m.exec(read(`/proc/${pid}/status`))?.[1]?.split('\t') ?? []
    // The first of each is not what runs anything, it watches.
    return numbers.at(-1) === '1' ? [] : [{ pid: Number(pid), depth: numbers.length }]
  })
  const at = (depth: number) => found.filter((one) => one.depth === depth).map(({ pid }) => pid)
  return { templates: at(2), copies: at(3) }
}
