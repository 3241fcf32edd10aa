/** Which versions of Playwright are known from the inside. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** With which the conformance tests have passed. */
export const KNOWN_VERSIONS: ReadonlySet<string> = new Set(['1.65.1'])

/** @param modules a folder `node_modules` */
export function playwrightIn(modules: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(modules, 'playwright', 'package.json'), 'utf8'))
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isManifest ? String(manifest.version) : 'of no version'
}
