/** The runner as a process of its own: reads the environment, runs until it is told to stop. */
import { takePriority } from './priority.ts'
import { startRunner } from './runner.ts'
import { type RunnerSettings, readSettings } from './settings.ts'

function settingsOrExit(): RunnerSettings {
  try {
    return readSettings(process.env)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}

const settings = settingsOrExit()
takePriority()
const runner = startRunner(settings)

process.once('SIGTERM', () => void runner.stop())
process.once('SIGINT', () => void runner.stop())

if (settings.hasParent) {
  // Nothing that we could still find out has anyone to go to.
  const orphaned = () => process.exit(0)
  if (process.channel !== undefined) process.once('disconnect', orphaned)
  else process.stdin.once('end', orphaned).once('error', orphaned).resume()
}

const reason = await runner.ended
if (reason !== null) console.error(reason)
process.exit(reason === null ? 0 : 1)
