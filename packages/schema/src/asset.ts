/** Files that runs of scripts leave, as they are kept and found again. */
import Type, { type Static } from 'typebox'
import { CheckKind } from './check-kind.ts'
import { ScriptAssetType } from './script-run.ts'
import { Nullable, Uuid } from './shape.ts'

/** Of one run. */
export const ASSET_LIMITS = { fileBytes: 64 * 1024 * 1024, runBytes: 64 * 1024 * 1024, files: 200 } as const

/** A name is made longer by what tells the attempts of a run apart. */
export const ASSET_FILE_NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,249}$'

export const AssetQuery = Type.Object({
  type: ScriptAssetType,
  contentType: Type.String({ maxLength: 200, pattern: '^[\\x20-\\x7e]*$', examples: ['image/png'] }),
})
export type AssetQuery = Static<typeof AssetQuery>

export const ManifestAsset = Type.Object({
  type: ScriptAssetType,
  name: Type.String(),
  url: Type.String({ description: 'Signed: whoever has it may read it for some hours.' }),
  contentType: Type.String(),
  size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  viewer: Nullable(Type.String(), { description: 'Of traces: where they can be looked at.' }),
  source: Type.Object({
    type: Type.Literal('check-result'),
    checkId: Uuid,
    checkName: Type.String(),
    checkType: CheckKind,
    resultId: Uuid,
  }),
})

export const AssetManifest = Type.Object({
  assets: Type.Array(ManifestAsset),
  truncated: Type.Boolean(),
  entriesReturned: Type.Integer({ minimum: 0 }),
  entriesTotal: Type.Integer({ minimum: 0 }),
})
export type AssetManifest = Static<typeof AssetManifest>
