import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Analytics, type MetricAggregation, routes, WEB_VITALS, type WebVital } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

/** What of many measurements is looked at. */
export const VITAL_FIGURES = ['p50', 'p90', 'p95'] as const satisfies readonly MetricAggregation[]
export type VitalFigure = (typeof VITAL_FIGURES)[number]

/** By location, the first page of each run is what counts. */
export type VitalGrouping = 'pageIndex' | 'runLocation'

export interface Vitals {
  /** A row an interval. */
  course: Analytics
  /** One row for all of the span. */
  whole: Analytics
}

export const vitalMetric = (vital: WebVital, figure: VitalFigure): `${WebVital}_${VitalFigure}` => `${vital}_${figure}`

interface VitalsAsked {
  hours: number
  /** Of how many minutes an interval is; no more than a hundred fit into the span. */
  minutes: number
  groupBy: VitalGrouping
}

export const vitalsQuery = (checkId: string, { hours, minutes, groupBy }: VitalsAsked) =>
  queryOptions({
    queryKey: [...keys.runsOf(checkId), 'vitals', hours, groupBy],
    queryFn: async ({ signal }): Promise<Vitals> => {
      const asked = {
        metrics: WEB_VITALS.flatMap((vital) => VITAL_FIGURES.map((figure) => vitalMetric(vital, figure))),
        groupBy,
        from: new Date(Date.now() - hours * 3_600_000).toISOString(),
      }
      const ask = (query: typeof asked & { aggregationInterval?: number; limit?: number }) =>
        call(routes.analyzeBrowserCheck, { params: { id: checkId }, query, signal })
      const [course, whole] = await Promise.all([
        ask({ ...asked, aggregationInterval: minutes, limit: 100 }),
        ask(asked),
      ])
      return { course, whole }
    },
    placeholderData: keepPreviousData,
  })
