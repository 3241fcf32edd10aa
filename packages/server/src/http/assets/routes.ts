/** Files that runs left: from runners, and to whoever may read them. */
import { Readable } from 'node:stream'
import { isLike } from '@vedette/core'
import { type AssetManifest, routes } from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import { type AssetLinks, type AssetPlace, isSignedAsset } from '../../assets/asset-links.ts'
import type { AssetStore } from '../../assets/asset-store.ts'
import { linksTo } from '../../assets/linked-assets.ts'
import { assetsOfResults, findAsset } from '../../assets/store.ts'
import { takeAsset } from '../../assets/take-asset.ts'
import { findCheck } from '../../checks/store.ts'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import type { ResultStore } from '../../results/result-store.ts'
import type { LocationView } from '../../scheduling/location-view.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Access, Call, Serve } from '../serve.ts'
import { sentAs } from './content-type.ts'
import { readRange } from './range.ts'

const POLICY = "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"

export interface AssetRouteParts {
  db: Db
  assets: AssetStore
  results: ResultStore
  links: AssetLinks
  secrets: Secrets
  clock: Clock
  access: Access
  locations: () => Promise<LocationView>
}

export function serveAssets(serve: Serve, parts: AssetRouteParts): void {
  const { db, assets, results, links, locations } = parts

  serve(routes.uploadAsset, async ({ params, query, caller, request }) => {
    const size = Number(request.headers['content-length'])
    const { body } = request
    if (!(body instanceof Readable) || !Number.isInteger(size))
      throw new AppError('invalid', 'The body must be a file of a known length, as application/octet-stream.')
    if (size > routes.uploadAsset.bodyLimit) throw new AppError('too-large', 'The file is too large.')
    await takeAsset({ db, assets }, caller.keyId, { ...params, ...query, size }, body)
    return null
  })

  serve(routes.readAsset, async ({ params, query, request, reply }) => {
    if (!(await mayRead(parts, { params, query, request }))) throw notFound()
    const view = await locations()
    const { region, accountId } = params
    const locationNos = [...view.numbersOf(accountId, [region], []), ...view.numbersOf(accountId, [], [region])]
    const found = await findAsset(db, { ...params, locationNos })
    if (found === undefined) throw notFound()
    const { size, contentType, name, key } = found
    const as = sentAs(contentType, name)
    const etag = `"${key.slice(-36)}"`
    reply
      .header('content-security-policy', POLICY)
      .header('content-disposition', as.disposition)
      .header('cache-control', 'private, max-age=31536000, immutable')
      .header('accept-ranges', 'bytes')
      .header('etag', etag)
    if (request.headers['if-none-match'] === etag) {
      reply.code(304)
      return Readable.from([])
    }
    const range = readRange(request.headers.range, size)
    if (range === 'none') {
      reply.code(416).header('content-range', `bytes */${size}`).type('text/plain')
      return Readable.from(['The file has no such range.'])
    }
    const content = await assets.read(key, range)
    // With stores on the disks of several servers, it is where it was handed in.
    if (content === null) throw notFound('The file is not on this server.')
    reply.type(as.contentType)
    if (range !== null) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`)
    reply.header('content-length', range === null ? size : range.last - range.first + 1)
    return content
  })

  serve(routes.listResultAssets, async ({ params, query, caller }): Promise<AssetManifest> => {
    const check = await findCheck(db, caller.accountId, params.checkId)
    const result = check && (await results.find(db, check.no, params.checkResultId))
    if (check === undefined || result === undefined) throw notFound()
    const { type: types = [], name: pattern = '*' } = query
    const region = (await locations()).get(result.locationNo)?.slug ?? ''
    const found = (await assetsOfResults(db, check.no, [result.id])).filter(
      ({ type, name }) => (types.length === 0 || types.includes(type)) && isLike(name, pattern),
    )
    return {
      assets: found.map(({ type, name, contentType, size, checkRunId, fileName }) => ({
        ...{ type, name, contentType, size },
        ...linksTo(links, { region, accountId: check.accountId, checkId: check.id, checkRunId, fileName }, { type }),
        source: {
          type: 'check-result' as const,
          checkId: check.id,
          checkName: check.name,
          checkType: check.kind,
          resultId: result.id,
        },
      })),
      // No run leaves more than an answer holds.
      truncated: false,
      entriesReturned: found.length,
      entriesTotal: found.length,
    }
  })
}

type Reading = Pick<Call<typeof routes.readAsset>, 'params' | 'query' | 'request'>

/** By the signature of an address, or by a key or session of the account. */
async function mayRead({ secrets, clock, access }: AssetRouteParts, { params, query, request }: Reading) {
  const place: AssetPlace = params
  if (query.signature !== undefined) return isSignedAsset(secrets, place, query, clock.nowMs())
  const caller = await access.caller(request, { named: params.accountId }).catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
  return caller?.accountId === params.accountId
}
