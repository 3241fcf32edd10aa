/** `vedette bundle`: packs a Playwright project and uploads it, for a check that runs it as a suite. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { ReadableStream } from 'node:stream/web'
import { routes } from '@vedette/schema'
import type { Command } from '../command.ts'

/** What is made anew, or is nobody's concern. */
const LEFT_OUT = ['./.git', './test-results', './playwright-report']
/** A suite runs with that of the runtime. */
const PLAYWRIGHT = ['@playwright/test', 'playwright', 'playwright-core'].map((name) => `node_modules/${name}`)

export const bundle: Command = {
  summary: 'Upload a Playwright project, to be run as a suite.',
  help: `Usage: vedette bundle [--with-modules] <folder>

Prints the codeBundlePath for a check of the kind PLAYWRIGHT. Left out are .git, test-results and playwright-report, and
node_modules unless --with-modules is given: Playwright and the other packages of the runtime are there without it.

Reads the environment and the file .env in the current directory:
  SERVER_URL           the server, for example https://vedette.example.org
  API_KEY              a key that may change checks

Example: vedette bundle --with-modules packages/e2e
`,
  async run(args) {
    const folders = args.filter((arg) => arg !== '--with-modules')
    const [folder] = folders
    if (folder === undefined || folders.length > 1 || folder.startsWith('-')) {
      process.stderr.write('Name one folder: vedette bundle [--with-modules] <folder>\n')
      return 2
    }
    const { SERVER_URL: server, API_KEY: key } = process.env
    if (!server || !key) {
      process.stderr.write('SERVER_URL and API_KEY must be set.\n')
      return 2
    }
    if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is no folder.`)
    const leftOut = [...LEFT_OUT, ...(args.includes('--with-modules') ? PLAYWRIGHT : ['node_modules'])]
    const { path } = routes.uploadPlaywrightBundle
    const response = await fetch(`${server.replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/gzip' },
      body: ReadableStream.from(pack(folder, leftOut)),
      duplex: 'half',
    })
    const answer = Object(await response.json())
    if (response.status !== 201) throw new Error(`The server refused it: ${answer.message}`)
    process.stdout.write(`${answer.codeBundlePath}\n`)
    return 0
  },
}

/** Equal for equal files, so that they are one bundle however often they are packed. */
async function* pack(folder: string, leftOut: readonly string[]): AsyncGenerator<Buffer> {
  const excluded = leftOut.map((name) => `--exclude=${name}`)
  const sameAgain = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--hard-dereference']
  const args = ['-c', '-C', folder, ...sameAgain, ...excluded, '--use-compress-program=gzip -n', '.']
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(tar, 'exit').then(([code]) => Number(code))
  const failed = once(tar, 'error').then(([error]) => Promise.reject(new Error('tar cannot be run.', { cause: error })))
  yield* tar.stdout
  // What it has not read to the end is not what was meant.
  const code = await Promise.race([ended, failed])
  if (code !== 0) throw new Error(`tar ended with code ${code}.`)
}
