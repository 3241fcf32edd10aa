import type { AlertChannel, ChannelTest, ChannelTestWish } from '@vedette/schema'
import { channelTitle } from '@vedette/schema'
import { useState } from 'react'
import { useTestChannel } from '../../api/test-channel.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SelectField } from '../../components/field.tsx'
import { Notice } from '../../components/notice.tsx'

type Told = NonNullable<ChannelTestWish['alertType']>

const samples: { value: Told; label: string }[] = [
  { value: 'ALERT_FAILURE', label: 'A failure' },
  { value: 'ALERT_RECOVERY', label: 'A recovery' },
  { value: 'ALERT_DEGRADED', label: 'A degradation' },
  { value: 'ALERT_SSL', label: 'A certificate that expires soon' },
]

/** Sends a sample message and shows what was said. */
export function ChannelTestDialog({ channel, onClose }: { channel: AlertChannel; onClose: () => void }) {
  const [alertType, setAlertType] = useState<Told>('ALERT_FAILURE')
  const test = useTestChannel()
  return (
    <Dialog title={`Test ${channelTitle(channel)}`} onClose={onClose} size="wide">
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label="Message"
          className="min-w-0 flex-1 basis-56"
          value={alertType}
          options={samples}
          onChange={setAlertType}
        />
        <Button
          look="primary"
          busy={test.isPending}
          onClick={() => test.mutate({ id: channel.id, alertType })}
          className="mb-px"
        >
          {test.isPending ? 'Sending…' : 'Send'}
        </Button>
      </div>
      <p className="mt-2 text-[0.8125rem] text-faint">
        It is really sent: somebody may be called or woken. A recovery closes what a failure has opened.
      </p>
      {test.error && <Notice tone="bad">{test.error.message}</Notice>}
      {test.data && !test.isPending && <Exchange test={test.data} />}
    </Dialog>
  )
}

function Exchange({ test: { accepted, retried, outcome, request, answer, duration } }: { test: ChannelTest }) {
  return (
    <>
      <Notice tone={accepted ? 'good' : 'bad'}>
        <p>
          {accepted
            ? 'Accepted.'
            : `Not accepted: a real message ${retried ? 'would be tried again' : 'would end as not delivered'}.`}{' '}
          <span className="text-faint">{Math.round(duration)} ms</span>
        </p>
        {answer === null && <p>{outcome}</p>}
      </Notice>
      {request !== null && (
        <Said title="Sent" first={`${request.method} ${request.url}`} headers={request.headers} body={request.body} />
      )}
      {answer !== null && (
        <Said title="Answered" first={`HTTP ${answer.status}`} headers={answer.headers} body={answer.body} />
      )}
    </>
  )
}

interface SaidProps {
  title: string
  first: string
  headers: readonly { name: string; value: string }[]
  body: string | null
}

function Said({ title, first, headers, body }: SaidProps) {
  const lines = [first, ...headers.map(({ name, value }) => `${name}: ${value}`)]
  const text = body === null || body === '' ? lines : [...lines, '', indented(body)]
  return (
    <div className="mt-4">
      <h3 className="mb-1 text-[0.8125rem] font-semibold">{title}</h3>
      <pre className="rounded-lg border border-line p-3 font-mono text-[0.8125rem] break-all whitespace-pre-wrap">
        {text.join('\n')}
      </pre>
    </div>
  )
}

/** JSON in lines; what is none stays as it is. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
