import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { histogram, metricsText, sample, tagLabels } from './prometheus-text.ts'

test('samples are written as collectors read them', () => {
  assert.equal(sample('up', {}, 1), 'up 1')
  assert.equal(sample('up', { name: 'a "b"\\\nc', x: '' }, 0.5), 'up{name="a \\"b\\"\\\\\\nc",x=""} 0.5')
})

test('no label breaks its line', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.match(sample('up', { name: text }, 1), /^up\{name="(?:[^"\\\n]|\\["\\n])*"\} 1$/)
    }),
  )
})

test('a histogram counts upwards and ends with everything', () => {
  const lines = histogram('t_seconds', { a: 'b' }, { count: 9, sum: 4.5, upTo: (bound) => (bound < 1 ? 3 : 8) })
  assert.deepEqual(lines.slice(0, 1), ['t_seconds_bucket{a="b",le="0.01"} 3'])
  assert.deepEqual(lines.slice(-4), [
    't_seconds_bucket{a="b",le="30"} 8',
    't_seconds_bucket{a="b",le="+Inf"} 9',
    't_seconds_sum{a="b"} 4.5',
    't_seconds_count{a="b"} 9',
  ])
})

test('a family has its heading once, and none without samples', () => {
  const up = { name: 'up', type: 'gauge', help: 'Whether it is up.' } as const
  assert.equal(metricsText([{ ...up, samples: [] }]), '')
  assert.equal(
    metricsText([{ ...up, samples: ['up 1', 'up{a="b"} 0'] }]),
    '# HELP up Whether it is up.\n# TYPE up gauge\nup 1\nup{a="b"} 0\n',
  )
})

test('tags with a key become labels, unless the label is taken or they are not to be read', () => {
  const taken = new Set(['name'])
  const tags = ['shop', 'team:till', 'team:web', 'na-me:x', 'name:x', '2nd:y', '__x:z', ':none', 'url:http://a']
  assert.deepEqual(tagLabels(tags, taken, true), {
    tags: 'shop,name:x,:none',
    team: 'till,web',
    na_me: 'x',
    _2nd: 'y',
    _x: 'z',
    url: 'http://a',
  })
  assert.deepEqual(tagLabels(['a', 'team:till'], taken, false), { tags: 'a,team:till' })
})
