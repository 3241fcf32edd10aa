import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeCheck } from './change-check.ts'
import { refreshLists } from './check-lists.ts'
import { keys } from './keys.ts'

/** Pauses, resumes, mutes or unmutes a check; all else stays as it is. */
export function useSwitchCheck(checkId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (changes: { activated: boolean } | { muted: boolean }) => changeCheck(checkId, changes),
    onSuccess: (check) => {
      queryClient.setQueryData(keys.check(checkId), check)
      return Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.overview(checkId) }),
        queryClient.invalidateQueries({ queryKey: keys.effective }),
        refreshLists(queryClient),
      ])
    },
  })
}
