import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { customStyle, scopedCss } from './custom-css.ts'
import { FLOODS, NASTY_CSS } from './nasty-css.fixture.ts'

test('every selector ends up below the dashboard; the whole page means the whole dashboard', () => {
  for (const [written, served] of [
    ['.check .name{color:red!important}', '.dashboard .check .name{color:red!important}'],
    ['body{background:#000;color:#fff}', '.dashboard{background:#000;color:#fff}'],
    [':root,html body > .a + .b:not(.c)::before{color:red}', '.dashboard,.dashboard .a+.b:not(.c)::before{color:red}'],
    ['.dashboard .name{color:red}', '.dashboard .name{color:red}'],
    ['*{--gap: 1px;margin:calc(2 * var(--gap))}', '.dashboard *{--gap:1px;margin:calc(2*var(--gap))}'],
    ['@media (max-width:600px){.a{color:red}}', '@media (max-width:600px){\n.dashboard .a{color:red}\n}'],
    ['@keyframes x{from{opacity:0}50.5%,to{opacity:1}}', '@keyframes x{from{opacity:0}50.5%,to{opacity:1}}'],
    ['.a{background:linear-gradient(red,#00f);transform:rotate(3deg)}', null],
    ['.a{color:red', '.dashboard .a{color:red}'],
  ] as const)
    assert.equal(scopedCss(written), served ?? `.dashboard ${written}`)
})

test('what could load something, or reach around the dashboard, is left out, and only that', () => {
  for (const css of NASTY_CSS) {
    const served = scopedCss(`${css}\n.after{color:blue}`)
    assert.doesNotMatch(
      served.replace(/"[^"]*"/g, '""'),
      /url|@import|font-face|image-set|src\(|expression|behavior|<|&/i,
      css,
    )
    assertInside(served, css)
  }
  assert.equal(scopedCss('.a{background:url(x);color:red}'), '.dashboard .a{color:red}')
  assert.equal(scopedCss('@import "x";.a{color:red}'), '.dashboard .a{color:red}')
  assert.equal(
    scopedCss('.a{color:red}}footer{color:blue}.b{color:red}'),
    '.dashboard .a{color:red}\n.dashboard .b{color:red}',
  )
})

test('whatever is put together from such pieces stays inside, and reads the same the second time', () => {
  const pieces = fc.constantFrom(
    ...NASTY_CSS,
    ...[
      '{',
      '}',
      '(',
      ')',
      ';',
      ':',
      ',',
      '"',
      "'",
      '\\',
      '/*',
      '*/',
      '&',
      '~',
      '+',
      '>',
      '|',
      '@',
      '!',
      '#',
      '\n',
      ' ',
    ],
    ...[
      'body',
      'html',
      ':root',
      '.a',
      'footer',
      '*',
      'url(',
      'color',
      'red',
      '--x',
      '@media ',
      '@keyframes x',
      ':is(',
      '::before',
    ],
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const css = parts.join('')
      const served = scopedCss(css)
      assertInside(served, css)
      assert.equal(scopedCss(served), served)
    }),
    { numRuns: 3000 },
  )
})

test('floods end soon, whatever they are made of', (t) => {
  const cpuMsOf = (css: string) => {
    const before = process.cpuUsage()
    const served = scopedCss(css)
    const { user, system } = process.cpuUsage(before)
    assertInside(served, css.slice(0, 20))
    return (user + system) / 1000
  }
  // The first reading is that of a program that is not warm yet.
  for (let times = 0; times < 3; times++) cpuMsOf(FLOODS.flat)
  const measure = cpuMsOf(FLOODS.flat)
  for (const [name, css] of Object.entries(FLOODS)) {
    const cpuMs = cpuMsOf(css)
    t.diagnostic(`${name}: ${(cpuMs / measure).toFixed(1)} times as long as a proper style`)
    assert.ok(cpuMs <= Math.max(300, 6 * measure), `${name}: ${cpuMs} ms, a proper style ${measure} ms`)
  }
  assert.equal(scopedCss(FLOODS.braces), '')
})

test('a few errors cost what they spoil; a style that is mostly errors is none', () => {
  const spoilt = (times: number) => `.a{color:red}${'{}'.repeat(times)}`
  assert.equal(scopedCss(spoilt(150)), '.dashboard .a{color:red}')
  assert.equal(scopedCss(spoilt(500)), '')
})

test('a style that is asked for stays in memory, however many others are', () => {
  const used = customStyle('.used{color:red}')
  for (let index = 0; index < 250; index++) {
    customStyle(`.other${index}{color:red}`)
    assert.equal(customStyle('.used{color:red}'), used, `after ${index}`)
  }
})

test('a style is named for what is served, and is none when nothing is left', () => {
  const [one, same] = [customStyle('.a{color:red}'), customStyle('.a { color: red; }')]
  assert.ok(one && same)
  assert.match(one.file, /^[0-9a-f]{16}\.css$/)
  assert.deepEqual(one, same)
  for (const css of [null, '', ' \n', '@import "x"', '/* nothing */']) assert.equal(customStyle(css), null)
})

/** Line by line, as they are written: a rule below the dashboard, a condition, key frames, or the end of a block. */
function assertInside(served: string, css: string): void {
  for (const line of served.split('\n')) {
    if (line === '' || line === '}' || /^@(media [^{}]+\{$|keyframes )/.test(line)) continue
    const [selectors = ''] = line.replace(/"(\\.|[^"\\])*"/g, '""').split('{')
    // Commas inside of brackets part no selectors.
    const outer = selectors.replace(/\\./g, 'e').replace(/\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, '()')
    for (const selector of outer.split(',')) assert.match(selector, /^\.dashboard( [^~+>&|]|$)/, `${css}\n=> ${line}`)
  }
}
