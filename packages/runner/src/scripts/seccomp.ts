/**
 * Which calls of the kernel a script may not make: a program of classic BPF, which the kernel runs at each of them. It is
 * a list of what is denied, not of what is allowed: Node.js, its packages and the C library go on as they are.
 */

/** Numbers from `asm/unistd_64.h` (x64) and `asm-generic/unistd.h` (arm64) of Linux 6.1; null: there is no such call. */
const DENIED: readonly (readonly [name: string, x64: number | null, arm64: number | null])[] = [
  // File systems: what is mounted decides what can be seen.
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['chroot', 161, 51],
  ['open_tree', 428, 428],
  ['move_mount', 429, 429],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fsmount', 432, 432],
  ['fspick', 433, 433],
  ['mount_setattr', 442, 442],
  ['name_to_handle_at', 303, 264],
  ['open_by_handle_at', 304, 265],
  ['fanotify_init', 300, 262],
  ['quotactl', 179, 60],
  ['quotactl_fd', 443, 443],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  // Namespaces; `clone` is looked at more closely below.
  ['unshare', 272, 97],
  ['setns', 308, 268],
  // Other processes.
  ['ptrace', 101, 117],
  ['process_vm_readv', 310, 270],
  ['process_vm_writev', 311, 271],
  ['process_madvise', 440, 440],
  ['pidfd_getfd', 438, 438],
  ['kcmp', 312, 272],
  ['move_pages', 279, 239],
  ['perf_event_open', 298, 241],
  // Code in the kernel, and large parts of it that have had many holes.
  ['bpf', 321, 280],
  ['userfaultfd', 323, 282],
  ['io_uring_setup', 425, 425],
  ['io_uring_enter', 426, 426],
  ['io_uring_register', 427, 427],
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['create_module', 174, null],
  ['query_module', 178, null],
  ['get_kernel_syms', 177, null],
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  // Keys of the kernel belong to no namespace.
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  // The machine itself.
  ['reboot', 169, 142],
  ['acct', 163, 89],
  ['syslog', 103, 116],
  ['vhangup', 153, 58],
  ['settimeofday', 164, 170],
  ['clock_settime', 227, 112],
  ['clock_adjtime', 305, 266],
  ['adjtimex', 159, 171],
  ['sethostname', 170, 161],
  ['setdomainname', 171, 162],
  ['personality', 135, 92],
  ['lookup_dcookie', 212, 18],
  ['nfsservctl', 180, 42],
  ['ioperm', 173, null],
  ['iopl', 172, null],
  ['modify_ldt', 154, null],
  ['uselib', 134, null],
  ['ustat', 136, null],
  ['sysfs', 139, null],
  ['_sysctl', 156, null],
]

/** Calls that came later could do anything: the kernel seems not to have them. The last that was looked at is `removexattrat`. */
const FIRST_UNKNOWN = 467

interface Architecture {
  /** As the kernel names it to a filter: `AUDIT_ARCH_…` of `linux/audit.h`. */
  audit: number
  clone: number
  socket: number
  ioctl: number
  denied: readonly { name: string; number: number }[]
}

const numbers = (column: 1 | 2) =>
  DENIED.flatMap((row) => {
    const number = row[column]
    return number === null ? [] : [{ name: row[0], number }]
  })
const ARCHITECTURES: { readonly [arch: string]: Architecture } = {
  x64: { audit: 0xc000003e, clone: 56, socket: 41, ioctl: 16, denied: numbers(1) },
  arm64: { audit: 0xc00000b7, clone: 220, socket: 198, ioctl: 29, denied: numbers(2) },
}
/** Of x64 with short pointers: the same calls under other numbers. */
const X32 = 0x40000000
const CLONE3 = 435

/** `CLONE_NEWNS`, `NEWCGROUP`, `NEWUTS`, `NEWIPC`, `NEWUSER`, `NEWPID`, `NEWNET`. */
const NEW_NAMESPACES = 0x7e020000
const AF_UNIX = 1
const AF_INET = 2
const AF_INET6 = 10
const AF_NETLINK = 16
/** Types into the terminal that a process was started from: `TIOCSTI`, `TIOCLINUX`. */
const TERMINAL_INPUT = [0x5412, 0x541c]

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const fail = (errno: number) => 0x00050000 | errno
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

/** An instruction; the label that it may jump to when its question is answered with yes. It goes on with the next if not. */
type Step = { code: number; k: number; to?: string } | { label: string }

// `BPF_LD|W|ABS`, `BPF_JMP|JEQ|K`, `…JGE…`, `…JSET…`, `BPF_RET|K` of `linux/bpf_common.h`.
const load = (offset: number): Step => ({ code: 0x20, k: offset })
const ifEqual = (k: number, to: string): Step => ({ code: 0x15, k, to })
const ifAtLeast = (k: number, to: string): Step => ({ code: 0x35, k, to })
const ifAnyOf = (k: number, to: string): Step => ({ code: 0x45, k, to })
const end = (action: number): Step => ({ code: 0x06, k: action })
const at = (label: string): Step => ({ label })

// Of `struct seccomp_data`. Arguments are 64 bits wide; both architectures have the lower half first.
const NUMBER = load(0)
const AUDIT_ARCH = load(4)
const argument = (place: number) => load(16 + 8 * place)

/** What a browser keeps its pages in: namespaces of its own, and an empty root. */
const MADE_BY_BROWSERS: ReadonlySet<string> = new Set(['unshare', 'chroot'])

/**
 * The program, as bubblewrap takes it; null for an architecture whose numbers are not known here.
 * @param nests whether what runs behind it is a browser, which makes a sandbox of its own in there
 */
export function seccompFilter(arch: string, { nests = false } = {}): Buffer | null {
  const own = Object.hasOwn(ARCHITECTURES, arch) ? ARCHITECTURES[arch] : undefined
  if (own === undefined) return null
  const denied = own.denied.filter(({ name }) => !nests || !MADE_BY_BROWSERS.has(name))
  return assemble([
    AUDIT_ARCH,
    ifEqual(own.audit, 'own calls'),
    end(KILL),
    at('own calls'),
    NUMBER,
    ...(arch === 'x64' ? [ifAtLeast(X32, 'kill')] : []),
    // Its flags are in memory, where a filter cannot look: the C library goes back to `clone`.
    ifEqual(CLONE3, 'not there'),
    ifAtLeast(FIRST_UNKNOWN, 'not there'),
    ...(nests ? [] : [ifEqual(own.clone, 'clone')]),
    ifEqual(own.socket, 'socket'),
    ifEqual(own.ioctl, 'ioctl'),
    ...denied.map(({ number }) => ifEqual(number, 'deny')),
    end(ALLOW),
    at('clone'),
    argument(0),
    ifAnyOf(NEW_NAMESPACES, 'deny'),
    end(ALLOW),
    at('socket'),
    argument(0),
    ...[AF_UNIX, AF_INET, AF_INET6].map((family) => ifEqual(family, 'allow')),
    ifEqual(AF_NETLINK, 'netlink'),
    end(fail(EAFNOSUPPORT)),
    at('netlink'),
    // Which addresses there are, and nothing else.
    argument(2),
    ifEqual(0, 'allow'),
    end(fail(EAFNOSUPPORT)),
    at('ioctl'),
    argument(1),
    ...TERMINAL_INPUT.map((request) => ifEqual(request, 'deny')),
    at('allow'),
    end(ALLOW),
    at('deny'),
    end(fail(EPERM)),
    at('not there'),
    end(fail(ENOSYS)),
    at('kill'),
    end(KILL),
  ])
}

/** Eight bytes an instruction: code, how far to jump on yes and on no, and a number. */
function assemble(steps: readonly Step[]): Buffer {
  const places = new Map<string, number>()
  const instructions: Extract<Step, { code: number }>[] = []
  for (const step of steps) {
    if ('label' in step) places.set(step.label, instructions.length)
    else instructions.push(step)
  }
  const program = Buffer.alloc(8 * instructions.length)
  for (const [place, { code, k, to }] of instructions.entries()) {
    const distance = to === undefined ? 0 : (places.get(to) ?? Number.NaN) - place - 1
    if (!(distance >= 0 && distance <= 255)) throw new Error(`an instruction cannot jump to "${to}"`)
    program.writeUInt16LE(code, 8 * place)
    program.writeUInt8(distance, 8 * place + 2)
    program.writeUInt32LE(k >>> 0, 8 * place + 4)
  }
  return program
}
