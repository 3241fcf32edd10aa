/** The folder of a job: its files, and what it needs of ours beside them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import type { JobFile } from '../job.ts'
import { placesIn, type Settings } from './settings.ts'

/** @returns the paths of what was written */
export function writeFiles(folder: string, files: readonly JobFile[]): Set<string> {
  const written = new Set<string>()
  for (const { path, content, encoding } of files) {
    const place = placeBelow(folder, path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, content, encoding)
    written.add(place)
  }
  return written
}

/** Throws for a path that leads out. */
export function placeBelow(folder: string, path: string): string {
  const isGood = path !== '' && !isAbsolute(path) && !/[\0\\]/.test(path) && !normalize(path).split('/').includes('..')
  if (!isGood) throw new Error(`the path ${JSON.stringify(path.slice(0, 200))} does not stay in the folder of the job`)
  return join(folder, path)
}

export function furnish(settings: Settings): void {
  const { folder } = settings
  const places = placesIn(folder)
  mkdirSync(places.own, { recursive: true })
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  writeFileSync(places.settings, JSON.stringify(settings))
  // Where the module type, and the places of results, follow the nearest one.
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }')
  const own = join(folder, 'node_modules', 'vedette')
  if (existsSync(own)) return
  mkdirSync(own)
  writeFileSync(join(own, 'package.json'), '{ "name": "vedette", "main": "index.js", "types": "index.d.ts" }')
  writeFileSync(join(own, 'index.js'), readFileSync(join(import.meta.dirname, 'vedette.cjs')))
}
