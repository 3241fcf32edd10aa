import type { PlaywrightJob } from '../job.ts'
import type { Outcome, Run } from './run.ts'
export async function runProgram(_job: PlaywrightJob, _run: Run, _warm: unknown): Promise<Outcome> {
  throw new Error('TODO')
}
