import { SelectField, TextField } from '../../../../components/field.tsx'
import type { PartProps } from '../kind-view.ts'
import type { GrpcDraft } from './draft.ts'

const modes = [
  { value: 'HEALTH', label: 'Ask for its health' },
  { value: 'BEHAVIOR', label: 'Call a method' },
] as const

export function GrpcEssential({ draft, set, errorOf }: PartProps<GrpcDraft>) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
        <TextField
          label="Host"
          hint="A host name or an address."
          placeholder="orders.example.org"
          required
          maxLength={2048}
          autoCapitalize="none"
          spellCheck={false}
          value={draft.url}
          error={errorOf('request.url')}
          onChange={(url) => set({ url })}
        />
        <TextField
          label="Port"
          type="number"
          min={1}
          max={65_535}
          required
          value={draft.port}
          error={errorOf('request.port')}
          onChange={(port) => set({ port })}
        />
      </div>
      <SelectField label="What to do" value={draft.mode} options={modes} onChange={(mode) => set({ mode })} />
      {draft.mode === 'HEALTH' ? (
        <TextField
          label="Service"
          hint="Empty asks for the server as a whole."
          placeholder="shop.Orders"
          value={draft.service}
          error={errorOf('request.grpcConfig.service')}
          onChange={(service) => set({ service })}
        />
      ) : (
        <TextField
          label="Method"
          required
          placeholder="shop.Orders/Get"
          value={draft.method}
          error={errorOf('request.grpcConfig.method')}
          onChange={(method) => set({ method })}
        />
      )}
    </>
  )
}
