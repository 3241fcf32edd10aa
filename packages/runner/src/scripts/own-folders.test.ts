import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesLeft, ownTemporaryFolder } from '../testing/leftovers.ts'
import { makeFolder, markInUse, sweepFolders } from './own-folders.ts'

test('folders of runners that are gone are removed, and no others', async (t) => {
  const folder = ownTemporaryFolder(t)
  const used = await makeFolder('shared')
  t.after(await markInUse(used))
  const young = await makeFolder('script')
  const program = join(folder, 'runner.mjs')
  const module = JSON.stringify(join(import.meta.dirname, 'own-folders.ts'))
  fs.writeFileSync(
    program,
    `import { makeFolder, markInUse } from ${module}
     await markInUse(await makeFolder('shared')); process.send('made'); setInterval(() => {}, 1e9)`,
  )
  const runner = fork(program)
  await once(runner, 'message')
  assert.equal(filesLeft(folder).length, 4)
  assert.equal(await sweepFolders(), 0)
  runner.kill('SIGKILL')
  await once(runner, 'exit')
  fs.mkdirSync(join(folder, 'vedette-scripts-abcdef'))
  fs.symlinkSync('/', join(folder, 'vedette-script-abcdef'))
  assert.equal(await sweepFolders(), 1)
  assert.ok(fs.existsSync(used) && fs.existsSync(young))
  assert.equal(await sweepFolders(Date.now() + 3_600_000), 1)
  assert.deepEqual(filesLeft(folder).toSorted(), [
    'runner.mjs',
    ...['vedette-script-abcdef', 'vedette-scripts-abcdef'],
    ...[used.slice(folder.length + 1)],
  ])
})
