/** The filter of system calls: what its program answers, and what the kernel does with it. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { runContext } from '../testing/builders.ts'
import { emptyRoot, FILTER_FD, isInstalled } from './isolation.ts'
import { ScriptHost } from './script-host.ts'
import { seccompFilter } from './seccomp.ts'

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7, ia32: 0x40000003 }
const CLONE_THREAD = 0x3d0f00
const answers = new Map([
  [0x7fff0000, 'allowed'],
  [0x80000000, 'killed'],
  [0x00050001, 'EPERM'],
  [0x00050026, 'ENOSYS'],
  [0x00050061, 'EAFNOSUPPORT'],
])

/** What the kernel would do: the few instructions that the program is made of. */
function answerTo(
  arch: 'x64' | 'arm64',
  number: number,
  args: number[] = [],
  { audit = AUDIT[arch], nests = false } = {},
): string | undefined {
  const program = seccompFilter(arch, { nests })
  assert.ok(program !== null)
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number, 0)
  data.writeUInt32LE(audit, 4)
  for (const [place, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * place)
  let value = 0
  for (let at = 0; at < program.length; at += 8) {
    const k = program.readUInt32LE(at + 4)
    const code = program.readUInt16LE(at)
    if (code === 0x06) return answers.get(k)
    if (code === 0x20) value = data.readUInt32LE(k)
    else {
      const holds = code === 0x15 ? value === k : code === 0x35 ? value >= k : (value & k) !== 0
      at += 8 * program.readUInt8(at + (holds ? 2 : 3))
    }
  }
  return undefined
}

test('calls that no script needs are denied, and all others are made', () => {
  const rows = [
    // Name, number on x64, number on arm64, arguments, answer.
    ['read', 0, 63, [], 'allowed'],
    ['execve', 59, 221, [], 'allowed'],
    ['mount', 165, 40, [], 'EPERM'],
    ['ptrace', 101, 117, [], 'EPERM'],
    ['process_vm_readv', 310, 270, [], 'EPERM'],
    ['open_by_handle_at', 304, 265, [], 'EPERM'],
    ['bpf', 321, 280, [], 'EPERM'],
    ['keyctl', 250, 219, [], 'EPERM'],
    ['io_uring_setup', 425, 425, [], 'EPERM'],
    ['unshare', 272, 97, [0x10000000], 'EPERM'],
    ['setns', 308, 268, [], 'EPERM'],
    ['reboot', 169, 142, [], 'EPERM'],
    ['personality', 135, 92, [], 'EPERM'],
    ['clone of a thread', 56, 220, [CLONE_THREAD], 'allowed'],
    ['clone into a user namespace', 56, 220, [0x10000011], 'EPERM'],
    ['clone into a network', 56, 220, [0x40000011], 'EPERM'],
    ['clone3', 435, 435, [], 'ENOSYS'],
    ['futex_waitv', 449, 449, [], 'allowed'],
    ['a call that comes later', 500, 500, [], 'ENOSYS'],
    ['socket AF_UNIX', 41, 198, [1, 1, 0], 'allowed'],
    ['socket AF_INET', 41, 198, [2, 1, 6], 'allowed'],
    ['socket AF_INET6', 41, 198, [10, 2, 0], 'allowed'],
    ['list of addresses', 41, 198, [16, 3, 0], 'allowed'],
    ['socket of netfilter', 41, 198, [16, 3, 12], 'EAFNOSUPPORT'],
    ['socket AF_PACKET', 41, 198, [17, 3, 3], 'EAFNOSUPPORT'],
    ['socket AF_ALG', 41, 198, [38, 5, 0], 'EAFNOSUPPORT'],
    ['socket AF_VSOCK', 41, 198, [40, 1, 0], 'EAFNOSUPPORT'],
    ['size of a terminal', 16, 29, [0, 0x5413], 'allowed'],
    ['typing into a terminal', 16, 29, [0, 0x5412], 'EPERM'],
  ] as const
  for (const [name, x64, arm64, args, answer] of rows) {
    assert.equal(answerTo('x64', x64, [...args]), answer, `${name} on x64`)
    assert.equal(answerTo('arm64', arm64, [...args]), answer, `${name} on arm64`)
  }
})

test('a browser may make namespaces and another root for its own sandbox, and nothing else that is denied', () => {
  const of = (number: number, args: number[] = []) => answerTo('x64', number, args, { nests: true })
  // unshare, chroot, clone into namespaces of users and networks.
  const made = [of(272, [0x10000000]), of(161), of(56, [0x10000011]), of(56, [0x40000011])]
  assert.deepEqual(made, ['allowed', 'allowed', 'allowed', 'allowed'])
  // mount, pivot_root, ptrace, setns, keyctl, io_uring_setup, bpf; clone3.
  for (const number of [165, 155, 101, 308, 250, 425, 321]) assert.equal(of(number), 'EPERM', String(number))
  assert.equal(of(435), 'ENOSYS')
})

test('calls of another architecture end the process', () => {
  assert.equal(answerTo('x64', 0, [], { audit: AUDIT.ia32 }), 'killed')
  assert.equal(answerTo('x64', 0, [], { audit: AUDIT.arm64 }), 'killed')
  assert.equal(answerTo('arm64', 63, [], { audit: AUDIT.x64 }), 'killed')
  assert.equal(answerTo('x64', 0x40000000), 'killed')
  assert.equal(answerTo('x64', 0x40000000 + 101), 'killed')
})

/** Calls the kernel from an empty root, as a program that a script might bring would. */
const CALLS = `
  sub told { my ($name, $number, @args) = @_; $! = 0; my $is = syscall($number, @args); print "$name ", ($is == -1 ? $!+0 : 'done'), "\\n" }
  told('ptrace', 101, 0, 0, 0, 0); told('unshare', 272, 0); told('personality', 135, 0xffffffff);
  told('io_uring', 425, 1, 0); told('keyctl', 250, 0, -3, 0); told('clone3', 435, 0, 0);
  told('clone', 56, 0x10000011, 0, 0, 0, 0); told('later', 900);
  print 'alg ', (socket(my $a, 38, 5, 0) ? 'done' : $!+0), "\\n";
  print 'unix ', (socket(my $b, 1, 1, 0) ? 'done' : $!+0), "\\n";
  $| = 1; print ''; syscall(0x40000000 + 39); print "x32 done\\n"`
const PERL = '/usr/bin/perl'

async function called(filter: Buffer | null): Promise<{ said: string[]; code: number | null; errors: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-seccomp-'))
  const socket = join(folder, 'egress.sock')
  const server = net.createServer().listen(socket)
  try {
    await once(server, 'listening')
    const root = emptyRoot(socket, filter !== null)
    const place = root.indexOf('--remount-ro')
    const args = [...root.slice(0, place), '--ro-bind', PERL, PERL, ...root.slice(place), PERL, '-e', CALLS]
    const child = spawn('bwrap', args, { stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'ignore', 'pipe'] })
    assert.ok(child.stdout !== null && child.stderr !== null)
    const pipe = [...child.stdio].at(FILTER_FD)
    assert.ok(pipe && 'write' in pipe)
    pipe.on('error', () => {})
    pipe.end(filter ?? '')
    const [said, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { said: said.trim().split('\n'), code, errors }
  } finally {
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

test('the kernel keeps to it', async (t) => {
  if (process.arch !== 'x64') return t.skip('the numbers are those of x64')
  if (!isInstalled('bwrap') || !isInstalled('perl')) return t.skip('bwrap and perl are needed')
  const { said, code, errors } = await called(seccompFilter('x64'))
  if (/namespace|Operation not permitted/.test(errors)) return t.skip(errors)
  const denied = ['ptrace', 'unshare', 'personality', 'io_uring', 'keyctl'].map((name) => `${name} 1`)
  assert.deepEqual(said, [...denied, 'clone3 38', 'clone 1', 'later 38', 'alg 97', 'unix done'], errors)
  // SIGSYS, as a shell would tell it.
  assert.equal(code, 128 + 31)
  const without = await called(null)
  assert.ok(without.said.includes('ptrace done') && without.said.includes('unshare done'), without.errors)
})

test('a machine of another architecture runs scripts without it, and says so', async (t) => {
  assert.equal(seccompFilter('mips'), null)
  const lines: string[] = []
  const log = (_: string, line: string) => lines.push(line)
  const host = new ScriptHost({ log, allowReduced: false, level: 'strict', architecture: 'mips', groups: null })
  if ((await host.level()) === null) return t.skip(lines.join('; '))
  assert.deepEqual(host.isolation, { level: 'strict', layers: [] })
  assert.match(lines.join('\n'), /no filter of system calls for mips[\s\S]*isolation level "strict"/)
  const here = new ScriptHost({ log, allowReduced: false, level: 'strict', limitMs: 60_000, groups: null })
  const request = { method: 'GET' as const, url: 'http://h/', body: '', headers: {}, queryParameters: {} }
  const job = { script: 'request.body = "well"', snippets: [], variables: {}, request, response: null }
  const end = await here.run(job, runContext().dialer)
  assert.ok(end !== null && 'done' in end, JSON.stringify(end))
  if (['x64', 'arm64'].includes(process.arch)) assert.deepEqual(here.isolation?.layers, ['seccomp'])
})
