/**
 * Packages of the runtime as V8 has compiled them, brought from one process to the next. Node.js keeps code too, but as it
 * is when a file has just been read; this is kept after a run, with every function that the run has called.
 */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { constants, Script } from 'node:vm'

const HEAD = '(function (exports, require, module, __filename, __dirname) { '
const TAIL = '\n})'
const { apply, get, set } = Reflect

export interface Compiled {
  /** Loads something with what there is. Nothing of a user may be loaded in it: stacks would tell of us. */
  load<T>(work: () => T): T
  /** Keeps all that has been loaded in that way. */
  keep(): void
}

/** @param folder where it is kept; null: nowhere */
export function compiledIn(folder: string | null, modules: string, isKept: boolean): Compiled {
  if (folder === null) return { load: (work) => work(), keep() {} }
  const root = realpathSync(modules) + sep
  const placeOf = (file: string) => join(folder, `${relative(root, file).replaceAll(sep, '+')}.code`)
  return isKept ? keeping(root, placeOf) : reading(root, placeOf)
}

type PlaceOf = (file: string) => string

function reading(root: string, placeOf: PlaceOf): Compiled {
  const loaders = get(Module, '_extensions')
  const loadOther = get(loaders, '.js')
  const load = (module: NodeJS.Module, file: string): unknown => {
    const cachedData = file.startsWith(root) ? read(placeOf(file)) : null
    if (cachedData === null) return loadOther(module, file)
    // Read here: what Node.js has read would stay until garbage is collected, megabytes of it.
    const source = HEAD + readFileSync(file, 'utf8') + TAIL
    return run(scriptOf(source, file, cachedData), module, file)
  }
  return { load: (work) => during(loaders, '.js', load, work), keep() {} }
}

/** For what is loaded twice in one process: what was compiled the first time, while it ran too, is there the second time. */
export function compiledHere(modules: string): Compiled {
  return { ...keeping(realpathSync(modules) + sep, () => ''), keep() {} }
}

function keeping(root: string, placeOf: PlaceOf): Compiled {
  const scripts = new Map<string, Script>()
  const compileOther = get(Module.prototype, '_compile')
  function compile(this: NodeJS.Module, source: string, file: string, format?: string): unknown {
    const isWhole = format !== 'module' && file.startsWith(root) && readFileSync(file, 'utf8') === source
    if (!isWhole) return apply(compileOther, this, [source, file, format])
    const script = scripts.get(file) ?? scriptOf(HEAD + source + TAIL, file)
    scripts.set(file, script)
    return run(script, this, file)
  }
  return {
    load: (work) => during(Module.prototype, '_compile', compile, work),
    keep() {
      for (const [file, script] of scripts) writeFileSync(placeOf(file), script.createCachedData())
    },
  }
}

function during<T>(target: object, name: string, replacement: unknown, work: () => T): T {
  const before = get(target, name)
  set(target, name, replacement)
  try {
    return work()
  } finally {
    set(target, name, before)
  }
}

const scriptOf = (source: string, file: string, cachedData?: Buffer) =>
  new Script(source, {
    filename: file,
    columnOffset: -HEAD.length,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    // What does not fit is not used.
    ...(cachedData !== undefined && { cachedData }),
  })

/** As Node.js does with what it has compiled by itself. */
const run = (script: Script, module: NodeJS.Module, file: string): unknown =>
  apply(script.runInThisContext(), module.exports, [module.exports, createRequire(file), module, file, dirname(file)])

function read(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}
