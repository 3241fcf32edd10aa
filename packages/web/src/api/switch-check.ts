import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refreshLists } from './check-lists.ts'
import { keys } from './keys.ts'
import { updateApiCheck } from './update-api-check.ts'

/** Pauses, resumes, mutes or unmutes a check; all else stays as it is. */
export function useSwitchCheck(checkId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (changes: { activated: boolean } | { muted: boolean }) => updateApiCheck(checkId, changes),
    onSuccess: (check) => {
      queryClient.setQueryData(keys.check(checkId), check)
      return Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.overview(checkId) }),
        refreshLists(queryClient),
      ])
    },
  })
}
