import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'

/** The first thing to do asks for one thing. */
export function NoChecks() {
  const navigate = useNavigate()
  const [url, setUrl] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void navigate({ to: '/checks/new', search: { url } })
  }
  return (
    <section className="card px-6 py-12 text-center sm:py-16">
      <svg aria-hidden="true" viewBox="0 0 240 84" className="mx-auto mb-6 w-56 text-strong" fill="none">
        <path d="M0 72h240" stroke="currentColor" strokeWidth="1.5" />
        <path
          d="M10 72c18-14 34-16 52-7s30 7 42-2 22-12 36-3 30 14 46 6 30-8 44 6"
          stroke="currentColor"
          strokeWidth="1.5"
          opacity=".5"
        />
        <path
          d="M112 72V38h16v34M108 38h24M110 30h20v8h-20ZM107 30l13-9 13 9Z"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinejoin="round"
        />
        <circle cx="120" cy="34" r="2.6" className="fill-lantern" />
        <path
          d="M126 33 228 10M126 35l102 16M114 33 12 10M114 35 12 51"
          className="stroke-lantern"
          strokeWidth="1"
          strokeDasharray="2 5"
          opacity=".8"
        />
      </svg>
      <h2 className="text-lg font-semibold">What should Vedette watch first?</h2>
      <p className="mx-auto mt-1 max-w-[46ch] text-soft">
        A web page or an API: its address is all that is needed. The first result is there within seconds.
      </p>
      <form onSubmit={submit} className="mx-auto mt-6 flex max-w-lg flex-col gap-2 sm:flex-row">
        <input
          className="control"
          aria-label="Address to watch"
          placeholder="example.org/health"
          inputMode="url"
          autoComplete="off"
          required
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Button type="submit" look="primary" icon="plus">
          Add the check
        </Button>
      </form>
    </section>
  )
}
