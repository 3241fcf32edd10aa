import { type FormEvent, useState } from 'react'
import { isRefusal } from '../../api/refusal.ts'
import { useSignIn } from '../../api/sign-in.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Notice } from '../../components/notice.tsx'
import { Frame } from './frame.tsx'

export function SignInPage({ onDone }: { onDone: () => void }) {
  const signIn = useSignIn()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate({ name, password }, { onSuccess: onDone })
  }
  return (
    <Frame title="Sign in">
      <form onSubmit={submit} className="space-y-4">
        {signIn.error && (
          <Notice tone="bad">
            {isRefusal(signIn.error, 401) ? 'Name or password is wrong.' : signIn.error.message}
          </Notice>
        )}
        <TextField label="Name" required autoComplete="username" value={name} onChange={setName} />
        <TextField
          label="Password"
          type="password"
          required
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        <Button type="submit" look="primary" busy={signIn.isPending} className="w-full">
          Sign in
        </Button>
      </form>
    </Frame>
  )
}
