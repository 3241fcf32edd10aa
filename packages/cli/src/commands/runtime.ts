/** `vedette runtime`: the sets of packages that scripts can ask for, on this machine. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installedRuntimes, runtimesFolder } from '@vedette/runner/runtimes'
import { RUNTIME_FACTS, RUNTIMES, type RuntimeId } from '@vedette/schema'
import type { Command } from '../command.ts'

export const runtime: Command = {
  summary: 'List or install the runtimes of scripts on this machine.',
  help: `Usage: vedette runtime list
       vedette runtime install <id>

Scripts run with the runtime that their check, its group or the account names. The current one is installed with
Vedette; this installs an older one for the runners of this machine, from the npm registry. Start them again afterwards.

  RUNTIMES_DIR         has a folder for each runtime, instead of our own

Example: vedette runtime install 2024.09
`,
  async run([action, id]) {
    if (action === 'list') {
      process.stdout.write(listed())
      return 0
    }
    const known = RUNTIMES.find((one) => one === id)
    if (action !== 'install' || known === undefined) {
      process.stderr.write(`${runtime.help}\nRuntimes: ${RUNTIMES.join(', ')}\n`)
      return 2
    }
    return install(known)
  },
}

function listed(): string {
  const installed = installedRuntimes()
  const lines = RUNTIMES.map((id) => {
    const found = installed.find((one) => one.id === id)
    const told = found === undefined ? 'not installed' : `installed, Playwright ${found.version}`
    return `  ${id}   ${RUNTIME_FACTS[id].stage.padEnd(12)} ${told}`
  })
  return `${lines.join('\n')}\n`
}

/** By its lock file alone, and without running anything of the packages. */
function install(id: RuntimeId): Promise<number> {
  const folder = join(runtimesFolder(), id)
  if (!existsSync(join(folder, 'package-lock.json'))) {
    throw new Error(`Vedette brings no packages for the runtime ${id}: there is no package-lock.json in ${folder}.`)
  }
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error']
  const child = spawn(npm, args, { cwd: folder, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0)
        process.stdout.write(`${id} is installed in ${folder}. Runners tell of it once they are started again.\n`)
      resolve(code ?? 1)
    })
  })
}
