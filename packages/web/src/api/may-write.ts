import { useQuery } from '@tanstack/react-query'
import type { Role } from '@vedette/schema'
import { meQuery } from './me.ts'

const writes: { readonly [R in Role]: boolean } = {
  OWNER: true,
  ADMIN: true,
  READ_WRITE: true,
  READ_RUN: false,
  READ_ONLY: false,
}

/** Whether who is signed in may start runs and say to be on trouble; false until that is known. */
export function useMayRun(): boolean {
  const { data: me } = useQuery(meQuery)
  return me !== undefined && me.role !== 'READ_ONLY'
}

/** Whether who is signed in may change settings; false until that is known. */
export function useMayWrite(): boolean {
  const { data: me } = useQuery(meQuery)
  return me !== undefined && writes[me.role]
}
