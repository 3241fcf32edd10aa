import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AddressClass, classOf, EGRESS_PRESETS, egressPolicy, judgeAddress } from './egress.ts'
import { isWithin, parseCidr, parseIp } from './ip-address.ts'

const addresses: { [C in AddressClass]: string[] } = {
  public: ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '169.253.1.1', '2606:4700::1111', '2a00:1450:4001::1'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'unique-local': ['fc00::1', 'fd12:3456::1'],
  shared: ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.0.1', 'fe80::1', 'febf::1'],
  metadata: ['169.254.169.254', '169.254.170.2', '100.100.100.200', 'fd00:ec2::254'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  reserved: [
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.1',
    '240.0.0.1',
    '255.255.255.255',
    '2001:db8::1',
    '100::1',
    'fec0::1',
    '4000::1',
  ],
  transition: [
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001:0:1::1',
    '192.88.99.1',
    '::ffff:0:127.0.0.1',
  ],
}

test('knows the class of an address', () => {
  for (const [kind, list] of Object.entries(addresses)) {
    for (const text of list) {
      const ip = parseIp(text)
      assert.ok(ip !== null, text)
      assert.equal(classOf(ip), kind, text)
    }
  }
})

test('allows by class, by who dials', () => {
  const allowedTo = (preset: (typeof EGRESS_PRESETS)[number]) =>
    Object.entries(addresses).flatMap(([kind, list]) =>
      list.every((address) => judgeAddress(address, egressPolicy(preset)).allowed) ? [kind] : [],
    )
  assert.deepEqual(allowedTo('check-built-in'), ['public', 'loopback', 'private', 'unique-local', 'shared'])
  assert.deepEqual(allowedTo('check-private-location'), ['public', 'private', 'unique-local', 'shared'])
  assert.deepEqual(allowedTo('channel'), ['public', 'loopback', 'private', 'unique-local', 'shared'])
})

test('lists allow and deny, and denying wins', () => {
  const policy = egressPolicy('check-private-location', {
    allow: ['169.254.0.0/16', '127.0.0.1', 'fe80::/10'],
    deny: ['169.254.169.254/32', '10.0.0.0/8', '8.8.0.0/16'],
  })
  const answers = [
    '169.254.1.1',
    '127.0.0.1',
    '127.0.0.2',
    'fe80::9',
    '169.254.169.254',
    '10.1.1.1',
    '8.8.8.8',
    '9.9.9.9',
  ]
  assert.deepEqual(
    answers.filter((address) => judgeAddress(address, policy).allowed),
    ['169.254.1.1', '127.0.0.1', 'fe80::9', '9.9.9.9'],
  )
  assert.deepEqual(judgeAddress('127.0.0.2', policy), {
    allowed: false,
    reason: 'address not allowed: 127.0.0.2 is a loopback address',
  })
})

test('takes nothing for an address that is not plainly numeric', () => {
  const spellings = [
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.01',
    '127.0.0.1.',
    '127.0.0.256',
    '127.0.0',
    '1.2.3.4.5',
    ' 127.0.0.1',
    '127.0.0.1 ',
    '127.0.0.1%0',
    '１２７.0.0.1',
    '①27.0.0.1',
    '::1%lo',
    '[::1]',
    ':::',
    '1::2::3',
    '12345::',
    '::1:',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '::1.2.3',
    '::1.2.3.4.5',
    '1.2.3.4::',
    '::ffff:1.2.3.4:5',
    'g::',
  ]
  for (const text of spellings) {
    assert.equal(parseIp(text), null, text)
    for (const preset of EGRESS_PRESETS) assert.equal(judgeAddress(text, egressPolicy(preset)).allowed, false, text)
  }
})

test('reads every IPv6 spelling of an address alike', () => {
  const group = fc.integer({ min: 0, max: 0xffff })
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const full = groups.map((part) => part.toString(16)).join(':')
      assert.deepEqual(parseIp(full)?.parts, groups)
      assert.deepEqual(parseIp(full.toUpperCase())?.parts, groups)
      const short = full.replace(/(?:^|:)0(?::0)+(?::|$)/, '::')
      assert.deepEqual(parseIp(short)?.parts, groups)
    }),
  )
})

test('an address lies within a network exactly when it begins with its bits', () => {
  const within = (address: string, network: string) => {
    const [ip, cidr] = [parseIp(address), parseCidr(network)]
    return ip !== null && cidr !== null && isWithin(ip, cidr)
  }
  assert.ok(within('10.255.0.1', '10.0.0.0/8') && !within('11.0.0.0', '10.0.0.0/8'))
  assert.ok(within('1.2.3.4', '0.0.0.0/0') && within('::1', '::/0') && !within('1.2.3.4', '::/0'))
  assert.ok(within('2001:db8:8000::', '2001:db8:8000::/33') && !within('2001:db8:7fff::', '2001:db8:8000::/33'))
  for (const text of ['10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8/8', 'a/8'])
    assert.equal(parseCidr(text), null)
  assert.throws(() => egressPolicy('channel', { allow: ['10.0.0/8'] }), /"10.0.0\/8" is not a network/)
})
