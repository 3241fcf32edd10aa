import type { ReactNode } from 'react'
import { TextField } from '../../../components/field.tsx'

interface LabelFieldProps {
  label: string
  hint?: ReactNode
  value: string | null | undefined
  error: string | undefined
  onChange: (value: string | null) => void
}

/** A text that may be left out: empty means none. */
export function LabelField({ value, onChange, ...rest }: LabelFieldProps) {
  return (
    <TextField {...rest} maxLength={255} value={value ?? ''} onChange={(text) => onChange(text === '' ? null : text)} />
  )
}
