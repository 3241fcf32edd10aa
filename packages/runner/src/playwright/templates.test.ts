/** When a template is made, replaced and given up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Template, Templates } from './templates.ts'

const HOUR = 60 * 60_000

class Fake implements Template {
  isOver = false
  readonly #ended = Promise.withResolvers<void>()
  readonly ended = this.#ended.promise
  kill(): void {
    this.isOver = true
    this.#ended.resolve()
  }
}

function templates() {
  const made: Fake[] = []
  const lines: string[] = []
  const state = { now: 0, problem: null as string | null }
  const all = new Templates<string, Fake>({
    log: (_, line) => lines.push(line),
    keyOf: (wanted) => wanted,
    make: async () => {
      if (state.problem !== null) throw new Error(state.problem)
      const template = new Fake()
      made.push(template)
      return template
    },
    now: () => state.now,
  })
  const lend = (wanted = 'requests') => {
    const lent = all.lend(wanted)
    assert.ok(lent)
    return lent
  }
  return { all, made, lines, state, lend }
}

test('one is made for each kind of run when it is first wanted, and lent from then on', async () => {
  const { all, made, lend } = templates()
  assert.equal(all.lend('requests'), null)
  assert.equal(all.has('requests'), false)
  await all.made('requests')
  assert.equal(lend().template, made[0])
  assert.equal(lend().template, made[0])
  assert.equal(all.lend('pages'), null)
  await all.made('pages')
  assert.equal(lend('pages').template, made[1])
  await all.close()
  assert.ok(made.every(({ isOver }) => isOver))
  assert.equal(all.lend('requests'), null)
})

test('an old one is lent until there is a new one, and ends with the last of its runs', async () => {
  const { all, made, state, lend } = templates()
  await all.made('requests')
  const early = lend()
  state.now = HOUR + 1
  assert.equal(lend().template, made[0])
  await all.made('requests')
  await new Promise(setImmediate)
  const late = lend()
  assert.equal(late.template, made[1])
  assert.equal(made[0]?.isOver, false)
  early.giveBack(false)
  assert.equal(made[0]?.isOver, false)
})

test('two crashes in a row replace it, one and another later do not', async () => {
  const { all, made, lend, lines } = templates()
  await all.made('requests')
  for (const hasCrashed of [true, false, true, false]) lend().giveBack(hasCrashed)
  assert.equal(all.has('requests'), true)
  const other = lend()
  lend().giveBack(true)
  const last = lend()
  last.giveBack(true)
  last.giveBack(true)
  assert.equal(all.lend('requests'), null)
  assert.match(lines.join(), /2 scripts in a row crashed/)
  assert.equal(made[0]?.isOver, false)
  other.giveBack(false)
  assert.equal(made[0]?.isOver, true)
  await all.made('requests')
  assert.equal(lend().template, made[1])
})

test('where the replacement is no good, all are given up', async () => {
  const { all, made, state, lend, lines } = templates()
  await all.made('requests')
  await all.made('pages')
  state.problem = 'it does not add up'
  lend().giveBack(true)
  lend().giveBack(true)
  await all.made('requests')
  assert.equal(all.isGivenUp, true)
  assert.deepEqual([all.lend('requests'), all.lend('pages')], [null, null])
  assert.ok(made.every(({ isOver }) => isOver))
  assert.equal(lines.at(-1), 'scripts are not forked: it does not add up')
  state.problem = null
  await all.made('requests')
  assert.equal(all.lend('requests'), null)
})

test('one that has ended by itself is not lent', async () => {
  const { all, made, lend } = templates()
  await all.made('requests')
  made[0]?.kill()
  assert.equal(all.lend('requests'), null)
  await all.made('requests')
  assert.equal(lend().template, made[1])
})
