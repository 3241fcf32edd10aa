import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeCheck } from './change-check.ts'
import { keys } from './keys.ts'
import { refreshGroups } from './refresh-groups.ts'

/** Takes a check out of its group. */
export function useLeaveGroup() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (checkId: string) => changeCheck(checkId, { groupId: null }),
    onSuccess: (check) => {
      queryClient.setQueryData(keys.check(check.id), check)
      return refreshGroups(queryClient)
    },
  })
}
