import assert from 'node:assert/strict'
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findSystemBrowsers, linkBrowsers } from './browsers.ts'

const RUNTIME = join(import.meta.dirname, '../../runtimes/2025.04/node_modules')
const SHELL = 'chromium_headless_shell-1255/chrome-headless-shell-linux64/chrome-headless-shell'
const parent = await mkdtemp(join(tmpdir(), 'vedette-browsers-'))
const folder = join(parent, 'browsers')
after(() => rm(parent, { recursive: true }))

test('the browsers of the system are where this version of Playwright looks for them', async () => {
  const system = await findSystemBrowsers(process.env.CHROMIUM_PATH)
  const browsers = await linkBrowsers(RUNTIME, folder, system)
  assert.equal(await readlink(join(folder, SHELL)), system.headlessShell ?? system.chromium)
  assert.match(browsers.browser?.version ?? '', /^\d+\.\d+/)
})

test('full Chromium takes the place of a headless shell that is not there, and it is said', async () => {
  const { chromium } = await findSystemBrowsers(process.env.CHROMIUM_PATH)
  const browsers = await linkBrowsers(RUNTIME, folder, { chromium, headlessShell: null, ffmpeg: null })
  assert.equal(await readlink(join(folder, SHELL)), chromium)
  assert.deepEqual([browsers.browser?.name, browsers.hasVideo, browsers.remarks.length], ['chromium', false, 2])
  assert.deepEqual(await readdir(parent), ['browsers'], 'what was there before is gone')
})

test('without any browser the folder is empty', async () => {
  const browsers = await linkBrowsers(RUNTIME, folder, { chromium: null, headlessShell: null, ffmpeg: null })
  assert.deepEqual([browsers.browser, browsers.programs, await readdir(folder)], [null, [], []])
})
