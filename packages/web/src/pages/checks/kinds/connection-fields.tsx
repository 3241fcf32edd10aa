import { IP_FAMILIES, type UrlRequest } from '@vedette/schema'
import type { ReactNode } from 'react'
import { CheckboxField, SelectField } from '../../../components/field.tsx'
import type { PartProps } from './kind-view.ts'

/** How a run gets to its target. What a kind has no choice of is absent. */
export interface Connection {
  ipFamily: NonNullable<UrlRequest['ipFamily']>
  tls?: boolean
  skipSSL?: boolean
  shouldFail: boolean
}

interface ConnectionFieldsProps extends PartProps<Connection> {
  legend?: string
  /** What an expected failure is for the kind. */
  failing: string
  /** Fields of the kind beside the IP version. */
  beside?: ReactNode
  /** Switches of the kind before those that all have. */
  children?: ReactNode
}

export function ConnectionFields(props: ConnectionFieldsProps) {
  const { draft, set, errorOf, legend = 'Connection', failing, beside, children } = props
  const { ipFamily, tls, skipSSL, shouldFail } = draft
  return (
    <fieldset className="space-y-4">
      <legend className="mb-3 text-[0.9375rem] font-semibold">{legend}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        {beside}
        <SelectField
          label="IP version"
          value={ipFamily}
          options={IP_FAMILIES.map((value) => ({ value, label: value }))}
          error={errorOf('request.ipFamily')}
          onChange={(ipFamily) => set({ ipFamily })}
        />
      </div>
      {children}
      {tls !== undefined && (
        <CheckboxField
          label="TLS"
          hint="Shake hands before anything is sent, and verify the certificate."
          checked={tls}
          onChange={(tls) => set({ tls })}
        />
      )}
      {skipSSL !== undefined && tls !== false && (
        <CheckboxField
          label="Accept any certificate"
          hint="Also expired, self-signed and wrong ones."
          checked={skipSSL}
          onChange={(skipSSL) => set({ skipSSL })}
        />
      )}
      <ExpectedToFail hint={failing} checked={shouldFail} onChange={(shouldFail) => set({ shouldFail })} />
    </fieldset>
  )
}

interface ExpectedToFailProps {
  hint: string
  checked: boolean
  onChange: (checked: boolean) => void
}

export const ExpectedToFail = (props: ExpectedToFailProps) => <CheckboxField label="Expected to fail" {...props} />
