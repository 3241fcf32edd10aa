/**
 * Loaded first into every process that a run starts (by NODE_OPTIONS): where that is one of Playwright's own, whichever
 * copy it is, the hooks are put into it. It costs the others nothing.
 */
import { createRequire } from 'node:module'
import { noteInLedger } from './files.ts'
import { installHooks, tellOpenPages } from './hooks.ts'
import { sayInto } from './say.ts'
import { placesIn, readSettings, SETTINGS_VARIABLE } from './settings.ts'
import { watchWorkerStarts } from './worker-starts.ts'

const ITS_OWN = /[\\/](?:@playwright[\\/]test|playwright)[\\/](?:cli\.js$|lib[\\/])/
const COMMAND = /[\\/]cli\.js$/
const program = process.argv[1] ?? ''

if (process.env[SETTINGS_VARIABLE] !== undefined && ITS_OWN.test(program)) {
  const settings = readSettings()
  sayInto(placesIn(settings.folder).said)
  process.on('exit', tellOpenPages)
  if (COMMAND.test(program))
    watchWorkerStarts((fault) => {
      noteInLedger(settings.folder, { is: 'fault', fault })
      process.exit(1)
    })
  try {
    const playwright = createRequire(program).resolve('playwright/package.json')
    // It would load it next; were we around it while it loads, we would be in the stacks that users see.
    installHooks(createRequire(playwright)('playwright-core'), settings)
  } catch (error) {
    process.stderr.write(`Pages are not watched: ${error}\n`)
  }
}
