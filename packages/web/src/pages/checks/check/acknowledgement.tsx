import type { Acknowledgement, CheckOverview } from '@vedette/schema'
import { type FormEvent, useState } from 'react'
import { useAcknowledge, useTakeBackAcknowledgement } from '../../../api/acknowledge.ts'
import { useMayRun } from '../../../api/may-write.ts'
import { announce } from '../../../components/announcer.tsx'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { TextArea } from '../../../components/field.tsx'
import { Icon } from '../../../components/icon.tsx'
import { Ago } from '../../../components/instant.tsx'
import { Notice } from '../../../components/notice.tsx'

/** Who is on the trouble of a check, or how to say so; nothing while there is none. */
export function AcknowledgementLine({ overview }: { overview: CheckOverview }) {
  const { id, state, activated, acknowledgement } = overview
  const mayRun = useMayRun()
  if (acknowledgement !== null) return <Acknowledged checkId={id} acknowledgement={acknowledgement} mayRun={mayRun} />
  const isInTrouble = activated && (state === 'failing' || state === 'degraded')
  return isInTrouble && mayRun ? <Acknowledge checkId={id} /> : null
}

interface AcknowledgedProps {
  checkId: string
  acknowledgement: Acknowledgement
  mayRun: boolean
}

function Acknowledged({ checkId, acknowledgement: { by, at, note }, mayRun }: AcknowledgedProps) {
  const takeBack = useTakeBackAcknowledgement(checkId)
  return (
    <div className="flex w-full flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3 text-[0.875rem]">
      <Icon name="check" />
      <p className="min-w-0 break-words">
        Acknowledged by <strong className="font-semibold">{by}</strong>, <Ago at={at} />
        {note !== null && <span className="block whitespace-pre-wrap text-soft">{note}</span>}
      </p>
      {mayRun && (
        <Button
          busy={takeBack.isPending}
          onClick={() => takeBack.mutate(undefined, { onSuccess: () => announce('Taken back: reminders go on') })}
        >
          Take back
        </Button>
      )}
      {takeBack.error && <Notice tone="bad">{takeBack.error.message}</Notice>}
    </div>
  )
}

function Acknowledge({ checkId }: { checkId: string }) {
  const [asking, setAsking] = useState(false)
  return (
    <div className="flex w-full flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3">
      <Button icon="check" onClick={() => setAsking(true)}>
        Acknowledge
      </Button>
      <p className="text-[0.8125rem] text-soft">Say that you are on it: nobody is reminded of this trouble any more.</p>
      {asking && <AcknowledgeDialog checkId={checkId} onClose={() => setAsking(false)} />}
    </div>
  )
}

function AcknowledgeDialog({ checkId, onClose }: { checkId: string; onClose: () => void }) {
  const acknowledge = useAcknowledge(checkId)
  const [note, setNote] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    acknowledge.mutate(note, {
      onSuccess: () => {
        announce('Acknowledged')
        onClose()
      },
    })
  }
  return (
    <Dialog title="Acknowledge this trouble" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <p className="text-soft">Reminders of it stop. Everything else is still told, and its end too.</p>
        <TextArea
          label="Note"
          hint="What others should know. It may be empty."
          maxLength={1000}
          value={note}
          onChange={setNote}
        />
        {acknowledge.error && <Notice tone="bad">{acknowledge.error.message}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={acknowledge.isPending}>
            I am on it
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
