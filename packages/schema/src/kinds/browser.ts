/** The browser check: a script drives a real browser. */
import Type, { type Static } from 'typebox'
import { scriptAnswer, scriptFields } from '../check.ts'
import { Nullable } from '../shape.ts'
import { ScriptSettings } from './script-settings.ts'

export const BrowserCheckCreate = Type.Object({
  ...scriptFields,
  sslCheckDomain: Type.Optional(
    Nullable(Type.String({ maxLength: 255 }), {
      default: null,
      description: 'A domain whose certificate is looked at every hour, at port 443, from one of the locations.',
    }),
  ),
})
export type BrowserCheckCreate = Static<typeof BrowserCheckCreate>

/** Absent fields keep what is stored. */
export const BrowserCheckUpdate = Type.Partial(BrowserCheckCreate)

export const BrowserCheck = Type.Object({
  ...scriptAnswer,
  checkType: Type.Literal('BROWSER'),
  sslCheckDomain: Nullable(Type.String()),
})
export type BrowserCheck = Static<typeof BrowserCheck>

/** What a runner needs to execute a browser check. */
export const BrowserSettings = ScriptSettings
