import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { type Complaints, complaintsIn } from './complaints.ts'

interface Submission {
  form: RefObject<HTMLFormElement | null>
  busy: boolean
  error: Error | null
  complaints: Complaints
  submit: (event: FormEvent) => Promise<void>
  /** Does something else with what is in the form; a refusal is shown as one of the submission is. */
  attempt: (action: () => Promise<void>) => Promise<void>
}

/** Sends a form; a refusal leads to the first field at fault. */
export function useSubmit(send: () => Promise<void>): Submission {
  const form = useRef<HTMLFormElement>(null)
  const [error, setError] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const attempt = async (action: () => Promise<void>) => {
    setError(null)
    try {
      await action()
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal : new Error(String(refusal)))
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    await attempt(send)
    setBusy(false)
  }
  return { form, busy, error, complaints: complaintsIn(error), submit, attempt }
}
