import { type FormEvent, useState } from 'react'
import { isRefusal } from '../../api/refusal.ts'
import { useSetUp } from '../../api/set-up.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Notice } from '../../components/notice.tsx'
import { Frame } from './frame.tsx'

/** As the server asks. */
const SHORTEST_PASSWORD = 10

/** The first person sets name and password with the token from the link that the server printed. */
export function SetUpPage({ token, onDone }: { token: string; onDone: () => void }) {
  const setUp = useSetUp()
  const [values, setValues] = useState({ token: tokenIn(token), name: '', password: '', repeat: '' })
  const [mismatch, setMismatch] = useState(false)
  const set = (changes: Partial<typeof values>) => setValues((old) => ({ ...old, ...changes }))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const differs = values.password !== values.repeat
    setMismatch(differs)
    if (differs) return
    const { name, password } = values
    setUp.mutate({ token: tokenIn(values.token), name, password }, { onSuccess: onDone })
  }

  const wrongToken = isRefusal(setUp.error, 403)
  return (
    <Frame
      title="Set up Vedette"
      lead={
        token === '' ? (
          <p>
            This installation awaits its first person. When it started, it printed a set-up link in its terminal or log:
            open that link, or paste it here.
          </p>
        ) : (
          <p>Choose the name and password with which you will sign in. Then add your first check.</p>
        )
      }
    >
      <form onSubmit={submit} className="space-y-4">
        {(token === '' || wrongToken) && (
          <TextField
            label="Set-up link or token"
            required
            value={values.token}
            error={wrongToken ? 'This token is wrong or was used. Take the newest link from the terminal.' : undefined}
            onChange={(value) => set({ token: value })}
          />
        )}
        <TextField
          label="Your name"
          required
          maxLength={100}
          autoComplete="username"
          value={values.name}
          onChange={(name) => set({ name })}
        />
        <TextField
          label="Password"
          type="password"
          required
          minLength={SHORTEST_PASSWORD}
          maxLength={200}
          autoComplete="new-password"
          hint={`At least ${SHORTEST_PASSWORD} characters.`}
          value={values.password}
          onChange={(password) => set({ password })}
        />
        <TextField
          label="Password again"
          type="password"
          required
          autoComplete="new-password"
          value={values.repeat}
          error={mismatch ? 'The two passwords differ.' : undefined}
          onChange={(repeat) => set({ repeat })}
        />
        {setUp.error && !wrongToken && <Notice tone="bad">{setUp.error.message}</Notice>}
        <Button type="submit" look="primary" busy={setUp.isPending} className="w-full">
          Set up and sign in
        </Button>
      </form>
    </Frame>
  )
}

/** The token itself, or out of the whole link when that was pasted. */
function tokenIn(text: string): string {
  const link = text.trim()
  const query = link.includes('?') ? link.slice(link.indexOf('?')) : ''
  return new URLSearchParams(query).get('token') ?? link
}
