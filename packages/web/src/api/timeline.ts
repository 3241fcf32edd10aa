import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type AnswerOf, routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export type Timeline = AnswerOf<typeof routes.checkTimeline>

export const timelineQuery = (checkId: string, hours: number) =>
  queryOptions({
    queryKey: [...keys.runsOf(checkId), 'timeline', hours],
    queryFn: ({ signal }) =>
      call(routes.checkTimeline, { params: { id: checkId }, query: { hours, limit: 5000 }, signal }),
    placeholderData: keepPreviousData,
  })
