/** `vedette agent`: a runner on this machine for a location of a server elsewhere. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Command } from '../command.ts'

export const agent: Command = {
  summary: 'Run checks here for a location of a server elsewhere.',
  help: `Usage: vedette agent

Reads the environment and the file .env in the current directory:
  SERVER_URL           the server, for example https://vedette.example.org
  API_KEY              a key of the location
  JOB_CONCURRENCY      how many runs at once
  RUNNER_NAME          the name shown to operators (this machine's)
  EGRESS_ALLOW         addresses that checks may reach besides public and private ones, as CIDRs
  EGRESS_DENY          addresses that checks may not reach, as CIDRs
  SCRIPT_CONCURRENCY   how many scripts with Playwright at once (two for each processor)
  SCRIPT_ENGINE        forked: run them in copies of a process that is loaded once, where this machine can do that
  CHROMIUM_PATH        the browser that opens pages (the one of this system)
  SCRIPT_ISOLATION     reduced: run scripts even where this machine cannot keep them apart from itself
  CONTROL_TARGETS      host:port each; when none answers, this machine's network is gone and no target is blamed
  CONTROL_NAMES        host names that always exist; when none is known, its name server is in trouble
                       (without both, the server is what it asks)
`,
  run() {
    const main = fileURLToPath(import.meta.resolve('@vedette/runner/main'))
    // A process of its own, as the built-in runner is one: the same code path everywhere.
    const child = spawn(process.execPath, [main], { stdio: 'inherit' })
    const pass = (signal: NodeJS.Signals) => () => child.kill(signal)
    process.on('SIGINT', pass('SIGINT'))
    process.on('SIGTERM', pass('SIGTERM'))
    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? 1))
    })
  },
}
