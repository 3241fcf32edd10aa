/** Where the files of a script lie, and what kind of program it is. */

/** Below the folder of a run, with folders apart from each other by `/`. */
const NAME = /^[^\0\\]+$/
const MOST_DEPTH = 20

/**
 * A path as users write it, below the folder of its check.
 *
 * @throws Error with a reason that fits into a sentence
 */
export function pathBelow(path: string): string {
  if (!NAME.test(path))
    throw new Error(`the path "${path.replaceAll('\0', '\ufffd')}" has characters that no path here may have`)
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) throw new Error(`the path "${path}" must be relative`)
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (parts.pop() === undefined) throw new Error(`the path "${path}" leads out of the folder of its check`)
    } else parts.push(part)
  }
  if (parts.length === 0) throw new Error(`the path "${path}" names no file`)
  if (parts.length > MOST_DEPTH) throw new Error(`the path "${path}" is nested too deeply`)
  return parts.join('/')
}

/** Where a script lies that says nothing about it. */
const USUAL_ENTRY = 'script.spec.ts'

/** Its name says what language it is in: without a known ending it is TypeScript, of which JavaScript is a part. */
export function entryOf(scriptPath: string | null): string {
  if (scriptPath === null || scriptPath.trim() === '') return USUAL_ENTRY
  const path = pathBelow(scriptPath)
  return /\.[cm]?[jt]sx?$/.test(path) ? path : `${path}.ts`
}

/** Behind a space: the stars of an address begin none. */
const COMMENT = /(?:^|\s)\/(?:\*[\s\S]*?\*\/|\/.*$)/gm
/** As expressions are asked, not the runner: `/^a/.test(text)`. */
const MATCHING = /\/[a-z]*\s*\.test\s*\(/g
const PACKAGE = /['"`]@?playwright\/test['"`]/g
/** `test` by its name, from the package or from a file of fixtures. */
const NAMED =
  /\bimport\b[^'"`;]*\btest\b[^'"`;]*\bfrom\b|\{[^{}]*\btest\b[^{}]*\}\s*=\s*(?:await\s+)?(?:require|import)\s*\(/
/** What the package has as its default is `test`. */
const DEFAULT = /\bimport\s+\w+\s*(?:,[^'"`;]*)?\bfrom\s*['"`]@?playwright\/test['"`]/
/** Taken from the package where it is used: `require('@playwright/test').test`. */
const DIRECT = /\(\s*['"`]@?playwright\/test['"`]\s*\)+\s*\.\s*test\b/
/** All of the package, under a name. */
const WHOLE =
  /(?:\bimport\s*\*\s*as\s+\w+\s+from|\w\s*=\s*(?:await\s+)?(?:require|import)\s*\()\s*['"`]@?playwright\/test['"`]/

/**
 * Whether the test runner is to run it. What does not take `test` from anywhere is a program of its own: many launch a browser
 * by hand, and take `expect` alone from the runner's package.
 */
export function isTest(script: string): boolean {
  const code = script.replace(COMMENT, ' ').replace(MATCHING, '')
  if ([NAMED, DEFAULT, DIRECT].some((way) => way.test(code))) return true
  return WHOLE.test(code) && /\btest\b/.test(code.replace(PACKAGE, ''))
}
