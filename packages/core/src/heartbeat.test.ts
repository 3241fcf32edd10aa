import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  advanceWatch,
  afterPing,
  afterStart,
  cleanOutput,
  type HeartbeatWatch,
  isLinkPreview,
  judgePing,
  type Outage,
  type Pause,
  type Rhythm,
} from './heartbeat.ts'

const at = (time: string) => Date.parse(`2026-01-10T${time}Z`)
const hourly = { period: 1, periodUnit: 'hours', grace: 10, graceUnit: 'minutes' } as const

test('the worked example: early, in grace, then missed again and again', () => {
  let watch = afterPing(hourly, at('10:00:00'))
  assert.equal(judgePing(null, at('10:00:00')), 'RECEIVED')
  assert.equal(judgePing(watch, at('10:58:00')), 'EARLY')
  watch = afterPing(hourly, at('10:58:00'))
  assert.equal(judgePing(watch, at('12:05:00')), 'GRACE')
  watch = afterPing(hourly, at('12:05:00'))
  assert.deepEqual([watch.dueMs, watch.deadlineMs], [at('13:05:00'), at('13:15:00')])
  assert.equal(judgePing(watch, at('13:15:01')), 'LATE')
  assert.equal(judgePing(watch, at('13:05:00') + 700), 'RECEIVED')
  const { missed } = advanceWatch(hourly, watch, { nowMs: at('14:40:00'), pause: null, outage: null })
  assert.deepEqual(
    missed.map(({ atMs }) => atMs),
    [at('13:15:00'), at('14:25:00')],
  )
})

test('a ping is never better by coming later', () => {
  const order = ['EARLY', 'RECEIVED', 'GRACE', 'LATE']
  fc.assert(
    fc.property(rhythms, fc.nat(1e9), fc.nat(1e9), (rhythm, a, b) => {
      const watch = afterPing(rhythm, 0)
      const [first, second] = [judgePing(watch, Math.min(a, b)), judgePing(watch, Math.max(a, b))]
      assert.ok(order.indexOf(first) <= order.indexOf(second))
    }),
  )
})

test('with a schedule a ping is due at its next time, and a little early counts for it', () => {
  const nightly = { ...hourly, schedule: { cron: '0 3 * * *', timezone: 'Europe/Berlin' } }
  const dueAfter = (time: string) => new Date(afterPing(nightly, Date.parse(time)).dueMs).toISOString()
  assert.equal(dueAfter('2026-03-27T02:00:05Z'), '2026-03-28T02:00:00.000Z')
  assert.equal(dueAfter('2026-03-28T02:00:05Z'), '2026-03-29T01:00:00.000Z')
  assert.equal(dueAfter('2026-03-29T00:59:30Z'), '2026-03-30T01:00:00.000Z')
  const { deadlineMs, dueMs } = afterPing(nightly, Date.parse('2026-03-27T02:00:05Z'))
  assert.equal(deadlineMs - dueMs, 600_000)
})

test('a job that has begun has a period and a grace to end, and is expected when it was before', () => {
  const watch = afterPing(hourly, at('10:00:00'))
  const started = afterStart(hourly, watch, at('11:05:00'))
  assert.equal(judgePing(started, at('11:09:00')), 'GRACE')
  const late = (time: string) => advanceWatch(hourly, started, { nowMs: at(time), pause: null, outage: null }).missed
  assert.deepEqual(late('12:14:59'), [])
  assert.deepEqual(late('12:15:00'), [{ atMs: at('12:15:00'), jobStartedMs: at('11:05:00') }])
  const first = afterStart(hourly, null, at('10:00:00'))
  assert.deepEqual([first.deadlineMs, first.jobStartedMs], [at('11:10:00'), at('10:00:00')])
})

const after = (
  watch: HeartbeatWatch,
  time: string,
  outage: [string, string] | null,
  pause: [string, string] | null = null,
) => {
  const span = (pair: [string, string] | null) => pair && { fromMs: at(pair[0]), untilMs: at(pair[1]) }
  const moved = advanceWatch(hourly, watch, { nowMs: at(time), pause: span(pause), outage: span(outage) })
  return { missed: moved.missed.map(({ atMs }) => atMs), deadlineMs: moved.watch.deadlineMs }
}

test('what fell due while nobody could take a ping counts as having come', () => {
  const watch = afterPing(hourly, at('10:00:00'))
  assert.deepEqual(after(watch, '11:30:00', ['10:30:00', '11:30:00']), { missed: [], deadlineMs: at('12:10:00') })
  assert.deepEqual(after(watch, '13:30:00', ['10:30:00', '13:30:00']), { missed: [], deadlineMs: at('14:10:00') })
  // The job may be a minute behind itself when the service goes away.
  assert.deepEqual(after(watch, '11:30:00', ['11:00:50', '11:30:00']), { missed: [], deadlineMs: at('12:10:00') })
})

test('what was overdue before an outage may come for a grace after it, and is missed once then', () => {
  const watch = afterPing(hourly, at('10:00:00'))
  const outage: [string, string] = ['11:05:00', '11:30:00']
  assert.deepEqual(after(watch, '11:30:00', outage), { missed: [], deadlineMs: at('11:40:00') })
  assert.deepEqual(after(watch, '11:45:00', outage), { missed: [at('11:40:00')], deadlineMs: at('12:50:00') })
  // Missed before the service went away, and not told yet.
  assert.deepEqual(after(watch, '11:30:00', ['11:20:00', '11:30:00']).missed, [at('11:10:00')])
})

test('maintenance holds the timer until its end, also one that is put off or ends early', () => {
  const watch = afterPing(hourly, at('10:00:00'))
  assert.deepEqual(after(watch, '11:30:00', null, ['11:05:00', '12:00:00']), { missed: [], deadlineMs: at('13:10:00') })
  assert.deepEqual(after(watch, '11:30:00', null, ['11:20:00', '12:00:00']).missed, [at('11:10:00')])
  assert.deepEqual(after(watch, '11:00:00', null, ['11:05:00', '12:00:00']).deadlineMs, at('11:10:00'))
  const held = afterPing(hourly, at('12:00:00'))
  assert.deepEqual(after(held, '11:30:00', null, null).deadlineMs, at('12:40:00'))
  assert.deepEqual(after(held, '11:30:00', null, ['11:05:00', '11:45:00']).deadlineMs, at('12:55:00'))
  assert.deepEqual(after(held, '11:30:00', null, ['11:05:00', '12:30:00']).deadlineMs, at('13:40:00'))
  assert.equal(judgePing(held, at('11:30:00')), 'RECEIVED')
})

const rhythms = fc.record({
  period: fc.integer({ min: 30, max: 90 }),
  periodUnit: fc.constant('seconds' as const),
  grace: fc.integer({ min: 0, max: 60 }),
  graceUnit: fc.constant('seconds' as const),
})
type PlainRhythm = Pick<Rhythm, 'period' | 'grace'>

/** What happens at each second of a story. */
type Happening =
  | { what: 'ping' | 'start' }
  | { what: 'settings'; rhythm: PlainRhythm }
  | { what: 'pause' | 'outage'; seconds: number }
  | { what: 'nothing' }
const happenings: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Happening>({ what: 'ping' }, { what: 'nothing' }) },
  { weight: 1, arbitrary: fc.constant<Happening>({ what: 'start' }) },
  { weight: 1, arbitrary: rhythms.map((rhythm): Happening => ({ what: 'settings', rhythm })) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constantFrom('pause' as const, 'outage' as const),
      seconds: fc.integer({ min: 1, max: 200 }),
    }),
  },
)
const stories = fc.record({
  rhythm: rhythms,
  steps: fc.array(fc.tuple(fc.integer({ min: 1, max: 100 }), happenings), { minLength: 1, maxLength: 30 }),
})

/** Looks at the clock every second and asks what must be so: nothing is stored but when things happened. */
function naively(story: { rhythm: PlainRhythm; steps: [number, Happening][] }): number[] {
  const missed: number[] = []
  let { period, grace } = story.rhythm
  let timer: number | null = null
  let started = Number.NEGATIVE_INFINITY
  let patience = Number.NEGATIVE_INFINITY
  let pauseEnd = Number.NEGATIVE_INFINITY
  let now = 0
  const restart = (at: number) => {
    timer = at
    started = patience = Number.NEGATIVE_INFINITY
  }
  const look = () => {
    if (timer === null) return
    if (now < pauseEnd) return restart(pauseEnd)
    if (now < timer) return
    if (now < Math.max(timer, started) + period + grace || now < patience) return
    missed.push(now)
    restart(now)
  }
  for (const [gap, happening] of story.steps) {
    for (let second = 0; second < gap; second += 1) {
      now += 1
      look()
    }
    if (happening.what === 'ping') restart(Math.max(now, pauseEnd))
    if (happening.what === 'start') {
      timer ??= now
      started = now
    }
    if (happening.what === 'settings') {
      ;({ period, grace } = happening.rhythm)
      if (timer !== null) restart(now)
    }
    if (happening.what === 'pause') {
      pauseEnd = Math.max(pauseEnd, now + happening.seconds)
    }
    if (happening.what === 'outage') {
      const from = now
      now += happening.seconds
      const about = Math.min(60, grace / 2)
      if (timer !== null && timer < now) {
        if (timer + period < from - about) patience = Math.max(patience, now + grace)
        else while (timer < now && timer + period <= now + about) restart(Math.min(timer + period, now))
      }
    }
    look()
  }
  return missed
}

/** The same with the rule under test, which is asked at the same moments and stores one watch. */
function byRule(story: { rhythm: PlainRhythm; steps: [number, Happening][] }): number[] {
  const missed: number[] = []
  const seconds = ({ period, grace }: PlainRhythm): Rhythm => ({
    period,
    grace,
    periodUnit: 'seconds',
    graceUnit: 'seconds',
  })
  let rhythm = seconds(story.rhythm)
  let watch: HeartbeatWatch | null = null
  let pause: Pause | null = null
  let nowMs = 0
  const look = (outage: Outage | null = null) => {
    if (watch === null) return
    const moved = advanceWatch(rhythm, watch, { nowMs, pause, outage })
    watch = moved.watch
    missed.push(...moved.missed.map(({ atMs }) => atMs / 1000))
  }
  for (const [gap, happening] of story.steps) {
    for (let second = 0; second < gap; second += 1) {
      nowMs += 1000
      look()
    }
    let outage: Outage | null = null
    const held: HeartbeatWatch | null = watch
    if (happening.what === 'ping') watch = afterPing(rhythm, Math.max(nowMs, timerOf(held)))
    if (happening.what === 'start') watch = afterStart(rhythm, watch, nowMs)
    if (happening.what === 'settings') {
      rhythm = seconds(happening.rhythm)
      if (watch !== null) watch = afterPing(rhythm, nowMs)
    }
    if (happening.what === 'pause') {
      const goesOn: Pause | null = pause !== null && untilOf(pause) > nowMs ? pause : null
      const untilMs: number = Math.max(untilOf(goesOn), nowMs + happening.seconds * 1000)
      pause = { fromMs: nowMs, untilMs }
    }
    if (happening.what === 'outage') {
      outage = { fromMs: nowMs, untilMs: nowMs + happening.seconds * 1000 }
      nowMs = outage.untilMs
    }
    look(outage)
  }
  return missed
}
const timerOf = (watch: HeartbeatWatch | null): number => watch?.timerMs ?? 0
const untilOf = (pause: Pause | null): number => pause?.untilMs ?? Number.NEGATIVE_INFINITY

test('for every course of pings, starts, settings, maintenance and outages it misses what a plain model misses', () => {
  fc.assert(
    fc.property(stories, (story) => {
      assert.deepEqual(byRule(story), naively(story))
    }),
    { numRuns: 1000 },
  )
})

test('looking seldom finds the same as looking often', () => {
  fc.assert(
    fc.property(rhythms, fc.array(fc.nat(2000), { maxLength: 20 }), (rhythm, looks) => {
      const often = looks.toSorted((a, b) => a - b)
      let watch = afterPing(rhythm, 0)
      const found: number[] = []
      for (const second of often) {
        const moved = advanceWatch(rhythm, watch, { nowMs: second * 1000, pause: null, outage: null })
        watch = moved.watch
        found.push(...moved.missed.map(({ atMs }) => atMs))
      }
      const nowMs = (often.at(-1) ?? 0) * 1000
      const once = advanceWatch(rhythm, afterPing(rhythm, 0), { nowMs, pause: null, outage: null })
      assert.deepEqual(
        found,
        once.missed.map(({ atMs }) => atMs),
      )
      assert.deepEqual(watch, once.watch)
    }),
  )
})

test('programs that preview links are told from jobs that ping', () => {
  for (const agent of ['Slackbot-LinkExpanding 1.0', 'Twitterbot/1.0', 'facebookexternalhit/1.1', 'Googlebot/2.1']) {
    assert.equal(isLinkPreview(agent), true, agent)
  }
  for (const agent of [undefined, 'curl/8.5.0', 'Wget/1.21', 'python-requests/2.31', 'robotframework-less/1']) {
    assert.equal(isLinkPreview(agent), false, agent ?? 'none')
  }
})

test('what a job prints is kept without what only a terminal understands', () => {
  assert.equal(cleanOutput('\u001b[31mred\u001b[0m\r\nline\ttwo\u0000\u0007\u202e \n\n'), 'red\nline\ttwo')
  assert.equal(cleanOutput('\u001b]0;title\u0007done'), 'done')
  assert.equal(cleanOutput(' \u0000\n'), null)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const kept = cleanOutput(text) ?? ''
      assert.ok(kept.isWellFormed() && !/(?![\n\t])\p{Cc}/u.test(kept))
      assert.equal(cleanOutput(kept) ?? '', kept)
    }),
  )
})
