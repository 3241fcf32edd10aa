import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type CheckGroup, routes } from '@vedette/schema'
import { call } from './call.ts'
import { refreshGroups } from './refresh-groups.ts'

/** Pauses, resumes, mutes or unmutes a group. One that always overrides its checks goes on doing so. */
export function useSwitchGroup({ id, name, version }: CheckGroup) {
  const queryClient = useQueryClient()
  const query = { autoAssignAlerts: false }
  return useMutation({
    mutationFn: (changes: { activated: boolean } | { muted: boolean }) =>
      version === 1
        ? call(routes.updateCheckGroupV1, { params: { id }, body: changes, query })
        : call(routes.updateCheckGroup, { params: { id }, body: { name, ...changes }, query }),
    onSuccess: () => refreshGroups(queryClient),
  })
}
