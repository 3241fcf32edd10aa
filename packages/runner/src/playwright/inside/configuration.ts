/** How Playwright is configured for a file of tests. */
import { join } from 'node:path'
import type { PlaywrightTestConfig } from './playwright.ts'
import { placesIn, type Settings } from './settings.ts'
import { KNOWN_VERSIONS } from './versions.ts'

export function configurationOf({
  folder,
  entry,
  recording,
  version,
  proxy,
  chromiumSandbox,
}: Settings): PlaywrightTestConfig {
  const places = placesIn(folder)
  // Versions that are not known are told of the way out here: of requests they cannot be told elsewhere.
  const isKnown = KNOWN_VERSIONS.has(version)
  const path = join(folder, entry ?? '')
  return {
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
      ...(!isKnown && proxy !== null && { proxy: { server: proxy } }),
      ...(!isKnown && { launchOptions: { chromiumSandbox } }),
    },
  }
}
