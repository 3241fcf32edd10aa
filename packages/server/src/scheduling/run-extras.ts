/**
 * What runs are given beside the settings of their checks. Most need nothing and cost nothing; variables, groups and
 * snippets are read once for all the runs of a lease that do.
 */
import { mentionsTemplate, snippetsNamedIn } from '@vedette/core'
import {
  type BuiltInVariable,
  CURRENT_RUNTIME,
  type RunnableKind,
  type RunScripts,
  type RunVariable,
  SCRIPT_KINDS,
  type VariableItem,
  type WrittenScriptKind,
} from '@vedette/schema'
import type { SettingsOf } from '../checks/check.ts'
import type { OpenGroup } from '../checks/group.ts'
import { openGroup } from '../checks/settings-secrets.ts'
import type { Db } from '../db/database.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { placeOfVariable } from '../secrets/variable-place.ts'
import { groupsOf, runtimesOf, type SnippetRow, snippetsOf, type VariableRow, variablesOf } from './extras-store.ts'
import type { DueRun } from './lease-store.ts'
import { isMoved } from './run-settings.ts'

/** A run, opened. */
export interface RunToEquip extends DueRun {
  location: string
}

export interface RunExtras {
  variables: RunVariable[]
  scripts: RunScripts | null
}

const NOTHING: RunExtras = { variables: [], scripts: null }

/** @returns gives each of the runs what it needs; throws where secrets cannot be opened */
export async function readExtras(
  tx: Db,
  secrets: Secrets,
  runs: readonly RunToEquip[],
): Promise<(run: RunToEquip, resultId: string) => RunExtras> {
  const needy = runs.filter((run) => isScript(run) || hasScripts(run) || mentionsTemplate(requestOf(run.settings)))
  if (needy.length === 0) return () => NOTHING
  const scripted = needy.filter((run) => isScript(run) || hasScripts(run))
  const variables = byAccount(await variablesOf(tx, accountsOf(needy)))
  const runtimes = await runtimesOf(tx, accountsOf(needy.filter(({ settings }) => settings.runtimeId === null)))
  const groups = new Map((await groupsOf(tx, [...new Set(needy.flatMap(groupOf))])).map((group) => [group.id, group]))
  const snippets = byAccount(await snippetsOf(tx, accountsOf(scripted)))
  const all = new Set(needy)
  return (run, resultId) => {
    if (!all.has(run)) return NOTHING
    const stored = run.groupId === null ? undefined : groups.get(run.groupId)
    const group = stored === undefined ? null : openGroup(secrets, stored)
    const shared = (variables.get(run.accountId) ?? []).map((row) => opened(secrets, row))
    return {
      variables: variablesInForce(run, shared, group, {
        ...builtIns(run, resultId, group),
        RUNTIME_VERSION: run.runtimeId ?? run.settings.runtimeId ?? runtimes.get(run.accountId) ?? CURRENT_RUNTIME,
        ...(isSuite(run) ? suiteBuiltIns(run) : {}),
      }),
      scripts: scriptsFor(run, group, snippets.get(run.accountId) ?? []),
    }
  }
}

/** Later ones replace earlier ones of the same name: account, group, check, and last what nobody can change. */
function variablesInForce(
  run: RunToEquip,
  shared: readonly RunVariable[],
  group: OpenGroup | null,
  fixed: Readonly<Record<string, string>>,
): RunVariable[] {
  const byKey = new Map<string, RunVariable>()
  for (const variable of shared) byKey.set(variable.key, variable)
  for (const item of [...(group?.settings.environmentVariables ?? []), ...ownVariables(run.settings)]) {
    byKey.set(item.key, {
      key: item.key,
      value: item.value ?? '',
      hidden: item.locked === true || item.secret === true,
    })
  }
  // Whoever knows a trigger's URL may name any environment, so nothing hidden goes to another host than the check's own.
  if (isMoved(run.settings, run.demand)) for (const { key, hidden } of byKey.values()) if (hidden) byKey.delete(key)
  for (const [key, value] of Object.entries(fixed)) byKey.set(key, { key, value, hidden: false })
  return [...byKey.values()]
}

/** `REQUEST_URL` is known to the runner. */
type FixedVariables = Record<Exclude<BuiltInVariable, 'REQUEST_URL'>, string>

function builtIns(run: RunToEquip, resultId: string, group: OpenGroup | null): Omit<FixedVariables, 'RUNTIME_VERSION'> {
  return {
    ACCOUNT_ID: run.accountId,
    CHECK_ID: run.checkId,
    CHECK_NAME: run.checkName,
    CHECK_TYPE: run.kind,
    CHECK_RESULT_ID: resultId,
    CHECK_RUN_ID: String(run.checkRunId ?? Math.round(run.dueAtMs)),
    ENVIRONMENT_NAME: run.demand?.environmentName ?? '',
    ENVIRONMENT_URL: run.demand?.environmentUrl ?? '',
    GROUP_BASE_URL: group?.settings.apiCheckDefaults.url ?? '',
    REGION: run.location,
  }
}

/** What projects look for to find out where they run. */
function suiteBuiltIns(run: RunToEquip): Record<string, string> {
  const source = sourceOf(run)
  return {
    SERVICE: '1',
    SERVICE_CHECK_ID: run.checkId,
    SERVICE_REGION: run.location,
    SERVICE_RUN_SOURCE: source,
    ...(source === 'DEPLOYMENT' ? { CI: '1' } : {}),
  }
}

/** Who wanted the run. A deployment is somebody who says what was deployed where. */
function sourceOf({ onDemand, demand }: RunToEquip): 'SCHEDULE' | 'DEPLOYMENT' | 'DEMAND' {
  if (demand?.environmentUrl || demand?.environmentName) return 'DEPLOYMENT'
  return onDemand ? 'DEMAND' : 'SCHEDULE'
}

function scriptsFor(run: RunToEquip, group: OpenGroup | null, snippets: readonly SnippetRow[]): RunScripts | null {
  if (hasScripts(run)) return scriptsOf(run, group, snippets)
  if (!isWrittenScript(run)) return null
  const { script, dependencies } = run.settings
  const named = snippetsNamedIn([script ?? '', ...(dependencies ?? []).map(({ content }) => content)], snippets)
  return { setUp: [], tearDown: [], snippets: named.map(({ name, script }) => ({ name, script })) }
}

/** A snippet that is named as a script comes before what is written at the check itself. */
function scriptsOf(run: RunToEquip, group: OpenGroup | null, snippets: readonly SnippetRow[]): RunScripts {
  const of = (owner: ScriptOwner, phase: Phase): string[] => {
    const id = phase === 'setUp' ? owner.setupSnippetId : owner.tearDownSnippetId
    const local = phase === 'setUp' ? owner.localSetupScript : owner.localTearDownScript
    return [snippets.find((snippet) => snippet.id === id)?.script, local].filter(isWritten)
  }
  const own = scriptOwner(run)
  const setUp = [...(group === null ? [] : of(group.settings, 'setUp')), ...of(own, 'setUp')]
  const tearDown = [...of(own, 'tearDown'), ...(group === null ? [] : of(group.settings, 'tearDown'))]
  const named = snippetsNamedIn([...setUp, ...tearDown], snippets)
  return { setUp, tearDown, snippets: named.map(({ name, script }) => ({ name, script })) }
}

type Phase = 'setUp' | 'tearDown'
interface ScriptOwner {
  setupSnippetId?: number | null | undefined
  tearDownSnippetId?: number | null | undefined
  localSetupScript?: string | null | undefined
  localTearDownScript?: string | null | undefined
}

/** Whether it is a script itself, rather than having some around its request. */
function isScript({ kind }: RunToEquip): boolean {
  return SCRIPT_KINDS.some((one) => one === kind)
}

function isWrittenScript(run: RunToEquip): run is RunToEquip & { settings: SettingsOf<WrittenScriptKind> } {
  return isScript(run) && !isSuite(run)
}

/** It brings its own files, and no snippets are put beside them. */
function isSuite({ kind }: RunToEquip): boolean {
  return kind === 'PLAYWRIGHT'
}

function hasScripts(run: RunToEquip): boolean {
  const { setupSnippetId, tearDownSnippetId, localSetupScript, localTearDownScript } = scriptOwner(run)
  const own =
    setupSnippetId != null || tearDownSnippetId != null || [localSetupScript, localTearDownScript].some(isWritten)
  return own || (run.kind === 'API' && run.groupHasScripts)
}

/** Only API checks have scripts around their requests. */
function scriptOwner({ kind, settings }: RunToEquip): ScriptOwner {
  // The settings are those of the kind.
  return kind === 'API' ? (settings as SettingsOf<'API'>) : {}
}

function requestOf(settings: SettingsOf<RunnableKind>): unknown {
  return 'request' in settings ? settings.request : null
}

/** Checks that run scripts of their own kind have variables of their own. */
function ownVariables(settings: SettingsOf<RunnableKind>): readonly VariableItem[] {
  if (!('environmentVariables' in settings)) return []
  // Stored after validation by the schema of the kind.
  return (settings.environmentVariables as VariableItem[] | null | undefined) ?? []
}

function opened(secrets: Secrets, { id, accountId, key, value, sealed }: VariableRow): RunVariable {
  const text = sealed === null ? (value ?? '') : secrets.open(placeOfVariable(accountId, id), sealed)
  return { key, value: text, hidden: sealed !== null }
}

const isWritten = (script: string | null | undefined): script is string => script != null && script.trim() !== ''
const groupOf = ({ groupId }: RunToEquip) => (groupId === null ? [] : [groupId])
const accountsOf = (runs: readonly RunToEquip[]) => [...new Set(runs.map(({ accountId }) => accountId))]

function byAccount<T extends { accountId: string }>(rows: readonly T[]): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(rows, ({ accountId }) => accountId)
}
