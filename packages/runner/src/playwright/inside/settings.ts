/** What a run is made with, for every process of it: written into a file that a variable names. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScriptEngine as Engine } from '@vedette/schema'
import type { Recording } from '../job.ts'

export const SETTINGS_VARIABLE = 'VEDETTE_RUN'

export interface Settings {
  engine: Engine
  /** The folder of the job. */
  folder: string
  /** The file of tests; null: the configuration is the user's own. */
  entry: string | null
  recording: Recording
  /** Of Playwright. */
  version: string
  /** Of the way out, such as `http://127.0.0.1:1`; null: everything can be reached directly. */
  proxy: string | null
  /** Whether Chromium uses its own sandbox. */
  chromiumSandbox: boolean
}

/** Where we keep what is not the script's, below the folder of the job. */
export function placesIn(folder: string) {
  const own = join(folder, '.run')
  return {
    own,
    settings: join(own, 'settings.json'),
    /** What further processes say. */
    said: join(own, 'said.ndjson'),
    /** What is to be taken along, and how it ended. */
    ledger: join(own, 'ledger.ndjson'),
    bodies: join(own, 'bodies'),
    results: join(own, 'results'),
    report: join(own, 'report.json'),
    /** Outside of our own: whoever starts the next run brings it back there. */
    cache: join(folder, '.cache', 'playwright'),
  }
}

export function readSettings(): Settings {
  const file = process.env[SETTINGS_VARIABLE]
  if (file === undefined) throw new Error(`${SETTINGS_VARIABLE} is missing`)
  return JSON.parse(readFileSync(file, 'utf8'))
}
