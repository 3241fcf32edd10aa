/** The configuration of Playwright for a file of tests. */
import { join } from 'node:path'
import type { PlaywrightTestConfig } from './playwright.ts'
import { placesIn, readSettings } from './settings.ts'

const { folder, entry, recording } = readSettings()
const places = placesIn(folder)
const path = join(folder, entry ?? '')

const config: PlaywrightTestConfig = {
  testDir: folder,
  // The file exactly: the usual pattern would want a certain name.
  testMatch: new RegExp(`^${path.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`),
  outputDir: places.results,
  workers: 1,
  retries: 0,
  reportSlowTests: null,
  captureGitInfo: { commit: false, diff: false },
  reporter: [[join(import.meta.dirname, 'reporter.ts')], ['json', { outputFile: places.report }]],
  use: {
    // Screenshots and videos are told of separately.
    trace: { mode: recording.trace, screenshots: true, snapshots: true, sources: true, attachments: false },
    video: recording.video,
    screenshot: recording.screenshot,
  },
}
export default config
