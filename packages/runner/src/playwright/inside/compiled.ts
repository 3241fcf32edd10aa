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
  const scripts = new Map<string, Script>()
  const placeOf = (file: string) => join(folder, `${relative(root, file).replaceAll(sep, '+')}.code`)
  const compile = get(Module.prototype, '_compile')

  function compileWith(this: NodeJS.Module, source: string, file: string, format?: string): unknown {
    const cachedData = isKept ? null : read(placeOf(file))
    if (format === 'module' || !file.startsWith(root) || (cachedData === null && !isKept))
      return apply(compile, this, [source, file, format])
    const script = new Script(HEAD + source + TAIL, {
      filename: file,
      columnOffset: -HEAD.length,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      // What does not fit is not used.
      ...(cachedData !== null && { cachedData }),
    })
    if (isKept) scripts.set(file, script)
    return apply(script.runInThisContext(), this.exports, [
      this.exports,
      createRequire(file),
      this,
      file,
      dirname(file),
    ])
  }

  return {
    load(work) {
      set(Module.prototype, '_compile', compileWith)
      try {
        return work()
      } finally {
        set(Module.prototype, '_compile', compile)
      }
    },
    keep() {
      for (const [file, script] of scripts) writeFileSync(placeOf(file), script.createCachedData())
    },
  }
}

function read(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}
