/**
 * The database is there and is not to be had: it refuses connections, has none left, is silent, or keeps statements
 * waiting. Meanwhile runners look at targets that are well, and one target really goes down. The normal run has two of
 * the four ways, one that is told at once and one that is not.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../start-vedette.ts'
import { IS_LONG } from './chance.ts'
import { DatabaseDoor } from './database-door.ts'
import { judge, judgeNotifications, untilAllGoOn } from './findings.ts'
import { Installation } from './installation.ts'
import { putUnderLoad } from './load.ts'

/** Every check falls due meanwhile. */
const STRUCK_MS = 11_000
/** Longer than the server lets a statement take. */
const BARRED_MS = 17_000

interface Strike {
  /** Resolves when it has struck, with what ends it. */
  begin: (door: DatabaseDoor) => Promise<() => unknown>
  forMs: number
  /** Left to the long run. */
  isLong?: boolean
}

const strikes: Readonly<Record<string, Strike>> = {
  'connections refused': {
    begin: async (door) => {
      await door.shut()
      return () => door.reopen()
    },
    forMs: STRUCK_MS,
  },
  'too many clients': { begin: (door) => door.crowd(), forMs: STRUCK_MS, isLong: true },
  'no answer to anything': {
    begin: async (door) => {
      door.hold()
      return () => door.letGo()
    },
    forMs: STRUCK_MS,
  },
  'statements that wait for a lock until their time is over': {
    begin: (door) => door.bar(),
    forMs: BARRED_MS,
    isLong: true,
  },
}

for (const [name, { begin, forMs, isLong = false }] of Object.entries(strikes)) {
  if (isLong && !IS_LONG) continue
  test(`${name}: no target is blamed, an outage is found, and nothing is lost or told twice`, async (t) => {
    const door = await DatabaseDoor.open(t)
    const installation = await Installation.start(t, { DATABASE_URL: door.url })
    const load = await putUnderLoad(t, installation)
    await load.showAll('passed')
    const end = await begin(door)
    load.target.isUp = false
    const wentDownAt = performance.now()
    await wait(forMs)
    await end()
    await load.showAll('failed')
    await until('the outage is told of every check that looks at it', () =>
      load.shaky.every(({ id }) =>
        load.receiver.told.some(({ checkId, type }) => checkId === id && type === 'ALERT_FAILURE'),
      ),
    )
    const foundMs = performance.now() - wentDownAt
    load.target.isUp = true
    await load.showAll('passed')
    await untilAllGoOn(load, Date.now(), 25_000)
    await load.end()
    const { told, repeats } = await judgeNotifications(load)
    const found = await judge(load)
    const { lost, doubled, silent, falseDown } = found
    t.diagnostic(
      `${name}: ${found.results} results, ${lost.length} lost, ${doubled.length} doubled, ${falseDown.length} false down, ` +
        `${found.errors} in error, ${found.missed} slots counted as missed, ${told} notifications, ${repeats} repeated, ` +
        `the outage told after ${Math.round(foundMs / 1000)} s`,
    )
    assert.deepEqual({ lost, doubled, silent, falseDown }, { lost: [], doubled: [], silent: [], falseDown: [] })
    assert.equal(told, 2 * load.shaky.length, 'each outage is told once, and its end once')
    assert.equal(repeats, 0)
    assert.ok(foundMs < 60_000)
    assert.deepEqual([...load.api.broken, ...load.elsewhere.broken], [])
  })
}
