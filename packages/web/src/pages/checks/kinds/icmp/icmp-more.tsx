import { ICMP_ASSERTION_SOURCES } from '@vedette/schema'
import { TextField } from '../../../../components/field.tsx'
import { AssertionsEditor } from '../assertions/assertions-editor.tsx'
import { ConnectionFields } from '../connection-fields.tsx'
import type { PartProps } from '../kind-view.ts'
import type { IcmpDraft } from './draft.ts'

export function IcmpMore(props: PartProps<IcmpDraft>) {
  const { draft, set, errorOf } = props
  return (
    <>
      <AssertionsEditor
        {...props}
        among={ICMP_ASSERTION_SOURCES}
        path="request.assertions"
        hint="Without any, a run passes when enough of the pings are answered."
      />
      <fieldset className="grid gap-4 sm:grid-cols-2">
        <legend className="mb-3 text-[0.9375rem] font-semibold">How much may be lost</legend>
        <TextField
          label="Degraded above (%)"
          type="number"
          required
          min={0.1}
          max={100}
          step="any"
          value={draft.degradedPacketLossThreshold}
          error={errorOf('degradedPacketLossThreshold')}
          onChange={(degradedPacketLossThreshold) => set({ degradedPacketLossThreshold })}
        />
        <TextField
          label="Failed above (%)"
          hint="A run whose pings are all lost has failed in any case."
          type="number"
          required
          min={0.1}
          max={100}
          step="any"
          value={draft.maxPacketLossThreshold}
          error={errorOf('maxPacketLossThreshold')}
          onChange={(maxPacketLossThreshold) => set({ maxPacketLossThreshold })}
        />
      </fieldset>
      <ConnectionFields
        {...props}
        legend="Pings"
        failing="A run then passes when all pings are lost, and fails when one is answered."
        beside={
          <TextField
            label="Pings a run"
            hint="Five a second are sent."
            type="number"
            required
            min={1}
            max={50}
            value={draft.pingCount}
            error={errorOf('request.pingCount')}
            onChange={(pingCount) => set({ pingCount })}
          />
        }
      />
    </>
  )
}
