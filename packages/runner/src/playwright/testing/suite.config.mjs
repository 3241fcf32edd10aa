/** Each file of the corpus in a worker of its own. */
import { readdirSync } from 'node:fs'

export default {
  workers: 1,
  reporter: 'null',
  // As usual, without the project.
  snapshotPathTemplate: '{snapshotDir}/{testFileDir}/{testFileName}-snapshots/{arg}{-snapshotSuffix}{ext}',
  projects: readdirSync('.')
    .filter((name) => /\.spec\.\w+$/.test(name))
    .map((name) => ({ name, testMatch: name })),
  use: {
    trace: { mode: 'retain-on-failure', screenshots: true, snapshots: true, sources: true, attachments: false },
    video: 'off',
    screenshot: 'only-on-failure',
  },
}
