/** The multi-step check: a script that makes several requests. */
import Type, { type Static } from 'typebox'
import { scriptAnswer, scriptFields } from '../check.ts'
import { ScriptSettings } from './script-settings.ts'

export const MultiStepCheckCreate = Type.Object({
  ...scriptFields,
  checkType: Type.Optional(Type.Literal('MULTI_STEP', { default: 'MULTI_STEP' })),
})
export type MultiStepCheckCreate = Static<typeof MultiStepCheckCreate>

/** Absent fields keep what is stored. */
export const MultiStepCheckUpdate = Type.Partial(MultiStepCheckCreate)

export const MultiStepCheck = Type.Object({ ...scriptAnswer, checkType: Type.Literal('MULTI_STEP') })
export type MultiStepCheck = Static<typeof MultiStepCheck>

/** What a runner needs to execute a multi-step check. */
export const MultiStepSettings = ScriptSettings
