import { useMutation } from '@tanstack/react-query'
import { type DataCenter, routes } from '@vedette/schema'
import { call } from './call.ts'

export const useCreateDataCenterKey = () =>
  useMutation({ mutationFn: (region: DataCenter) => call(routes.createDataCenterKey, { params: { region } }) })
