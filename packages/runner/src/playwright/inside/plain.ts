import type { PlaywrightJob } from '../job.ts'
import type { Outcome, Run } from './run.ts'
export async function runPlain(_job: PlaywrightJob, _run: Run): Promise<Outcome> {
  throw new Error('TODO')
}
