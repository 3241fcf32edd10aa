/**
 * The browsers of the system, laid out as Playwright's own registry is: a folder of links that PLAYWRIGHT_BROWSERS_PATH
 * names. So scripts and users' own configurations launch them as if Playwright had installed them.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import Type from 'typebox'
import { Value } from 'typebox/value'

/** Where the programs of the system are. */
export interface SystemBrowsers {
  chromium: string | null
  headlessShell: string | null
  ffmpeg: string | null
}

export interface Browsers {
  /** For PLAYWRIGHT_BROWSERS_PATH. */
  folder: string
  /** Folders of the system that the links lead to: who hides the rest of it must show these. */
  programs: string[]
  /** What pages are opened with, and its version as it says it; null: there is no browser. */
  browser: { name: 'chromium-headless-shell' | 'chromium'; version: string } | null
  hasVideo: boolean
  /** What is missing, and what is done about it: for the log. */
  remarks: string[]
}

/** Programs rather than the shell scripts that distributions put before them, which cost a second of start-up. */
const CANDIDATES: { readonly [K in keyof SystemBrowsers]: readonly string[] } = {
  chromium: ['/usr/lib/chromium/chromium', '/usr/lib64/chromium-browser/chromium-browser', '/usr/lib/chromium/chrome'],
  headlessShell: [
    '/usr/lib/chromium/chromium-headless-shell',
    '/usr/lib64/chromium-browser/headless_shell',
    '/usr/lib/chromium/headless_shell',
  ],
  ffmpeg: ['/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg'],
}

const BrowsersJson = Type.Object({
  browsers: Type.Array(Type.Object({ name: Type.String(), revision: Type.String() })),
})

/** Where Playwright has looked for its programs, from its first versions to the present one, below the folder of a revision. */
const LAYOUTS = {
  chromium: ['chrome-linux64/chrome', 'chrome-linux-arm64/chrome', 'chrome-linux/chrome'],
  'chromium-headless-shell': [
    'chrome-headless-shell-linux64/chrome-headless-shell',
    'chrome-headless-shell-linux-arm64/chrome-headless-shell',
    'chrome-linux/headless_shell',
  ],
  ffmpeg: ['ffmpeg-linux'],
} as const
type Program = keyof typeof LAYOUTS

/** @param chromium the program that an operator names */
export async function findSystemBrowsers(chromium?: string): Promise<SystemBrowsers> {
  return {
    chromium: await firstProgram(chromium ? [chromium, ...CANDIDATES.chromium] : CANDIDATES.chromium),
    headlessShell: await firstProgram(CANDIDATES.headlessShell),
    ffmpeg: await firstProgram(CANDIDATES.ffmpeg),
  }
}

async function firstProgram(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return realpath(path)
  }
  return null
}

/**
 * Writes the folder anew, so that nobody ever sees half of it.
 * @param nodeModules of the runtime whose Playwright it is for
 */
export async function linkBrowsers(nodeModules: string, folder: string, system: SystemBrowsers): Promise<Browsers> {
  const listed: unknown = JSON.parse(await readFile(join(nodeModules, 'playwright-core', 'browsers.json'), 'utf8'))
  const { browsers } = Value.Parse(BrowsersJson, listed)
  const shell = system.headlessShell ?? system.chromium
  const programs: Record<Program, string | null> = {
    chromium: system.chromium ?? system.headlessShell,
    'chromium-headless-shell': shell,
    ffmpeg: system.ffmpeg,
  }

  const fresh = `${folder}.${randomUUID()}`
  for (const name of ['chromium', 'chromium-headless-shell', 'ffmpeg'] as const) {
    const program = programs[name]
    const listing = browsers.find((browser) => browser.name === name)
    if (program !== null && listing) await link(fresh, name, listing.revision, program)
  }
  await mkdir(fresh, { recursive: true })
  await replace(fresh, folder)

  const isShell = system.headlessShell !== null
  return {
    folder,
    programs: [...new Set(Object.values(programs).flatMap((program) => (program === null ? [] : [program])))],
    browser:
      shell === null
        ? null
        : { name: isShell ? 'chromium-headless-shell' : 'chromium', version: await versionOf(shell, isShell) },
    hasVideo: system.ffmpeg !== null,
    remarks: remarksOn(system),
  }
}

async function link(folder: string, name: Program, revision: string, program: string): Promise<void> {
  const home = join(folder, `${name.replaceAll('-', '_')}-${revision}`)
  for (const place of LAYOUTS[name]) {
    await mkdir(dirname(join(home, place)), { recursive: true })
    await symlink(program, join(home, place))
  }
  // Playwright would write these, the second after it has looked for libraries: the folder is read-only where it runs.
  for (const marker of ['INSTALLATION_COMPLETE', 'DEPENDENCIES_VALIDATED']) await writeFile(join(home, marker), '')
}

/** A folder cannot be renamed over one that has something in it, so the old one steps aside first. */
async function replace(fresh: string, folder: string): Promise<void> {
  const old = `${folder}.${randomUUID()}`
  try {
    await rename(folder, old)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  await rename(fresh, folder)
  await rm(old, { recursive: true, force: true })
}

async function versionOf(program: string, isShell: boolean): Promise<string> {
  const options = { timeout: 30_000, env: { PATH: '/usr/bin:/bin' } }
  const { stdout } = await promisify(execFile)(program, isShell ? ['--version'] : ['--version', '--headless'], options)
  return /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? stdout.trim().slice(0, 50)
}

function remarksOn({ chromium, headlessShell, ffmpeg }: SystemBrowsers): string[] {
  const remarks: string[] = []
  if (chromium === null && headlessShell === null)
    remarks.push('Neither Chromium nor its headless shell is installed: scripts cannot open pages')
  else if (headlessShell === null)
    remarks.push(
      'The headless shell of Chromium is not installed: full Chromium takes its place, at twice the CPU time',
    )
  else if (chromium === null)
    remarks.push('Full Chromium is not installed: its headless shell takes its place where a script asks for it')
  if (ffmpeg === null) remarks.push('ffmpeg is not installed: no videos are recorded')
  return remarks
}
