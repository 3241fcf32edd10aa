import Type from 'typebox'
import { ASSET_FILE_NAME, ASSET_LIMITS, AssetManifest, AssetQuery } from '../asset.ts'
import { route } from '../route.ts'
import { SCRIPT_ASSET_NAME, ScriptAssetType } from '../script-run.ts'
import { Uuid } from '../shape.ts'

const tag = 'Check results'

export const uploadAsset = route({
  method: 'PUT',
  path: '/runner/v1/assets/{leaseId}/{name}',
  policy: 'runner',
  tag: 'Runner',
  summary: 'Hand in a file that a run left, before it is reported; may be repeated without harm',
  description: 'The body is the file, as `application/octet-stream` and with its length.',
  params: Type.Object({
    leaseId: Type.String({ minLength: 1, maxLength: 100 }),
    name: Type.String({ pattern: SCRIPT_ASSET_NAME, examples: ['0-trace.zip'] }),
  }),
  query: AssetQuery,
  takesBytes: true,
  bodyLimit: ASSET_LIMITS.fileBytes,
  answers: { 204: null },
  refusals: {
    404: 'The runner does not hold this lease, or nothing is kept of its run.',
    413: 'The run has left enough.',
    507: 'There is no room for it.',
  },
})

export const readAsset = route({
  method: 'GET',
  path: '/v1/assets/checkRunData/{region}/{accountId}/{checkId}/{checkRunId}/{fileName}',
  policy: 'token',
  tag,
  summary: 'Read a file that a run left',
  description:
    'With a key of the account, or with the signature of an address that an answer gave. Ranges are understood.',
  params: Type.Object({
    region: Type.String({ minLength: 1, maxLength: 100 }),
    accountId: Uuid,
    checkId: Uuid,
    checkRunId: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    fileName: Type.String({ pattern: ASSET_FILE_NAME, examples: ['1-9f3ac2d1-0-trace.zip'] }),
  }),
  query: Type.Object({
    expires: Type.Optional(Type.Integer({ minimum: 0, description: 'UNIX seconds.' })),
    signature: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  media: 'application/octet-stream',
  answers: { 200: Type.Unsafe<AsyncIterable<Uint8Array>>(Type.String({ format: 'binary' })) },
  refusals: {
    404: 'No such file (any more), or no right to read it.',
    416: 'The file has no such range.',
  },
})

export const listResultAssets = route({
  method: 'GET',
  path: '/v1/check-results/{checkId}/{checkResultId}/assets',
  policy: 'read',
  tag,
  summary: 'List the files that the run of a result left',
  params: Type.Object({ checkId: Uuid, checkResultId: Uuid }),
  query: Type.Object({
    type: Type.Optional(Type.Array(ScriptAssetType, { description: 'Of these types only.' })),
    name: Type.Optional(
      Type.String({ maxLength: 200, description: 'Of these names only: `*` stands for any characters, `?` for one.' }),
    ),
  }),
  answers: { 200: AssetManifest },
  refusals: { 404: 'No such result.' },
})
