/** A check's response times over the last hours, with the slots that nobody ran. */
import type { AnswerOf, routes } from '@vedette/schema'
import type { StoredCheck } from '../../checks/check.ts'
import type { Db } from '../../db/database.ts'
import { postgresResults } from '../../results/store.ts'
import { loadLocations } from '../../scheduling/location-store.ts'
import { missedOf } from './overview-store.ts'

export async function timelineOf(
  db: Db,
  check: StoredCheck,
  { hours, limit }: { hours: number; limit: number },
): Promise<AnswerOf<typeof routes.checkTimeline>> {
  const fromMs = Date.now() - hours * 3_600_000
  const [points, missed, locations] = await Promise.all([
    postgresResults.since(db, check.no, fromMs, limit),
    missedOf(db, check.no, new Date(fromMs)),
    loadLocations(db),
  ])
  const slugs = new Map(locations.map((location) => [location.no, location.slug]))
  const judged = points.filter((point) => point.verdict !== 'error')
  const failed = judged.filter((point) => point.verdict === 'failed').length
  return {
    points: points.reverse().map((point) => ({
      at: new Date(point.startedAtMs).toISOString(),
      id: point.id,
      location: slugs.get(point.locationNo) ?? '',
      verdict: point.verdict,
      responseTime: Math.round(point.responseTimeMs * 10) / 10,
      phases: point.phases === null ? null : [...point.phases],
    })),
    missed,
    availability: judged.length === 0 ? null : (100 * (judged.length - failed)) / judged.length,
  }
}
