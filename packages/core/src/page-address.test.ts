import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { problemOfDomain, problemOfLink, problemOfSubDomain } from './page-address.ts'

const subDomains = ['a', '7', 'shop', 'Shop', 'shop-eu', 'a--b', 'xn--bcher-kva', '0'.repeat(63)]
const noSubDomains = [
  ...['', ' ', '-', '-a', 'a-', 'a.b', 'a/b', 'a?b', 'a#b', 'a@b', 'a\\b', 'a b', 'a\n', 'a_b', 'bücher', 'a:80'],
  ...['%61', 'a\u0000', '\u202ea', 'a'.repeat(64), '*', '[::1]'],
]
const domains = [
  'a.b',
  'status.example.org',
  'STATUS.Example.org',
  'xn--bcher-kva.example',
  'a.b.c.d.e',
  '1.2.c3',
  'a.x-1',
]
const noDomains = [
  ...['', '.', 'localhost', 'example.', '.example.org', 'a..b', '127.0.0.1', '1.2.3', '0x7f.1', '[::1]', '::1'],
  ...['a.b/', 'a.b?c', 'a.b#c', 'u@a.b', 'a.b:80', 'a\\.b', 'a .b', 'a.b\n', '\ta.b', 'https://a.b', '*.a.b', 'a_b.c'],
  ...['-a.b', 'a-.b', 'a.-b', 'bücher.example', 'a。b', 'ａ.b', `${'a'.repeat(64)}.b`, `${'a.'.repeat(127)}b`],
]
const links = [
  ...['https://example.org', 'HTTPS://EXAMPLE.ORG/x', 'https://example.org/a.png?x=1#y', 'https://[::1]/', '/'],
  ...['/logo.png', '/a/b?c=//d', 'https://user@example.org', '/javascript:alert(1)'],
  ...['https://cdn.example.org:8443/a', 'https://a_b.example.org.', 'https://127.0.0.1/', 'https://e?x', 'https://e#x'],
  ...['https://xn--bcher-kva.example/', 'https://h:65535', 'https://localhost/x;y,z'],
]
const noLinks = [
  ...[
    '',
    'http://example.org',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:1',
  ],
  ...[
    'data:text/html,<script>',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:x',
  ],
  ...[
    '//e',
    '///e',
    '/\\e',
    '\\\\e',
    '/\t/e',
    '/\n/e',
    '\t//e',
    ' https://example.org',
    'https://',
    'https:///e',
    'https:e',
  ],
  ...[
    'https:/e',
    'https:\\\\e',
    'ftp://e',
    'logo.png',
    './logo.png',
    '../x',
    '#x',
    '?x',
    'https://e x',
    'https://e\\x',
    'mailto:a@b',
  ],
  ...[
    'https://[x',
    'https://[x]/',
    'https://[::1',
    'https://[1.2.3.4]',
    'https://h:99999/',
    'https://h:x/',
    'https://h:1:2/',
  ],
  ...[
    'https://a,b;script-src/x',
    'https://a;b',
    'https://a@b;c/',
    "https://a'b/",
    'https://*.a',
    'https://%3b/',
    'https://bücher.example',
  ],
  ...['https://1.2.3.4.5', 'https://256.1.1.1', 'https://a.0x', 'https://a..b', 'https://@', 'https://u@'],
]

test('a sub-domain is one label of a host name', () => {
  for (const text of subDomains) assert.equal(problemOfSubDomain(text), null, text)
  for (const text of noSubDomains) assert.notEqual(problemOfSubDomain(text), null, text)
})

test('a custom domain is a host name with a dot, and no address', () => {
  for (const text of domains) assert.equal(problemOfDomain(text), null, text)
  for (const text of noDomains) assert.notEqual(problemOfDomain(text), null, text)
})

test('a link leads to https or to the own host', () => {
  for (const text of links) assert.equal(problemOfLink(text), null, text)
  for (const text of noLinks) assert.notEqual(problemOfLink(text), null, text)
})

test('what a browser makes of an accepted link is https or stays on the page’s host', () => {
  const piece = fc.constantFrom('https:', 'javascript:', '/', '\\', '\t', 'e', '.', '@', ' ', '\u0000', '#', '?', ':')
  const text = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(text, (link) => {
      if (problemOfLink(link) !== null || !URL.canParse(link, 'https://page.test/')) return
      const url = new URL(link, 'https://page.test/')
      assert.ok(url.protocol === 'https:' && (/^https:/i.test(link) || url.host === 'page.test'), link)
    }),
    { numRuns: 2000 },
  )
})

test('browsers can read an accepted link, and its origin parts nothing in a header', () => {
  const pieces = [
    'a',
    'b.c',
    '[',
    ']',
    '::1',
    ':',
    '@',
    ';',
    ',',
    '.',
    '1',
    '0x',
    '99999',
    '%',
    "'",
    'é',
    '-',
    '_',
    '/',
    '?',
    '#',
  ]
  const piece = fc.constantFrom(...pieces)
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 7 }), (parts) => {
      const link = `https://${parts.join('')}`
      if (problemOfLink(link) !== null) return
      assert.match(new URL(link).origin, /^https:\/\/([a-z0-9._-]+|\[[0-9a-f:]+\])(:\d+)?$/, link)
    }),
    { numRuns: 5000 },
  )
})

test('an accepted domain means to a browser what it says', () => {
  const label = fc.string({ unit: fc.constantFrom(...'aZ09-._é%@/:'), maxLength: 5 })
  fc.assert(
    fc.property(
      fc.array(label, { maxLength: 4 }).map((labels) => labels.join('.')),
      (domain) => {
        // Names in the international notation have rules of their own.
        if (problemOfDomain(domain) !== null || /xn--/i.test(domain)) return
        assert.equal(new URL(`https://${domain}/`).hostname, domain.toLowerCase())
      },
    ),
    { numRuns: 2000 },
  )
})
