/** What a process is given to run for a script: the script, what it imports, and its snippets beside it. */
import { entryOf, includeSnippets, isTest, pathBelow } from '@vedette/core'
import type { PlaywrightSettings, RunVariable, ScriptSettings } from '@vedette/schema'
import type { JobFile, PlaywrightJob, Recording } from './job.ts'

/** The archive of a suite, in the folder of its run. Hidden: it is nothing that the suite made. */
export const BUNDLE_NAME = '.bundle.tar.gz'

export interface ScriptParts {
  settings: Pick<ScriptSettings, 'script' | 'scriptPath' | 'dependencies'>
  variables: readonly RunVariable[]
  snippets: readonly { name: string; script: string }[]
  recording: Recording
  limitMs: number
}

/** @throws Error that says what of it the user wrote wrongly */
export function jobOf({ settings, variables, snippets, recording, limitMs }: ScriptParts): PlaywrightJob {
  const entry = entryOf(settings.scriptPath)
  const folder = entry.includes('/') ? entry.slice(0, entry.lastIndexOf('/') + 1) : ''
  const files = new Map<string, string>()
  for (const { path, content } of settings.dependencies) files.set(pathBelow(path), content)
  for (const { name, script } of snippets) files.set(`${folder}snippets/${pathBelow(name)}.js`, script)
  files.set(entry, includeSnippets(settings.script, snippets))
  const work = {
    entry,
    files: [...files].map(([path, content]): JobFile => ({ path, content, encoding: 'utf8' })),
    variables: byName(variables),
    limitMs,
  }
  return isTest(settings.script) ? { is: 'test', ...work, recording } : { is: 'program', ...work }
}

export interface SuiteParts {
  settings: Pick<PlaywrightSettings, 'workingDir' | 'args'>
  variables: readonly RunVariable[]
  limitMs: number
}

/** Traces, videos and screenshots are what the configuration of the suite says. */
export function suiteJobOf({ settings, variables, limitMs }: SuiteParts): PlaywrightJob {
  return {
    is: 'suite',
    archive: BUNDLE_NAME,
    workingDir: settings.workingDir,
    args: settings.args,
    recording: { trace: 'off', video: 'off', screenshot: 'off' },
    files: [],
    variables: byName(variables),
    limitMs,
  }
}

const byName = (variables: readonly RunVariable[]) =>
  Object.fromEntries(variables.map(({ key, value }) => [key, value]))
