import { saveCheck } from '../../../../api/save-check.ts'
import { draftCommon, writeCommon } from '../../form/shared-draft.ts'
import type { FormView } from '../kind-view.ts'
import { blankHeartbeat, draftHeartbeat, writeHeartbeat } from './draft.ts'
import { HeartbeatEssential } from './heartbeat-essential.tsx'

export const heartbeatView: FormView<'HEARTBEAT'> = {
  label: 'Heartbeat',
  about: 'Waits for pings of a job, such as a backup or a cron job, and alerts when one does not come.',
  blank: blankHeartbeat,
  drafts: (check) => ({ shared: draftCommon(check), own: draftHeartbeat(check) }),
  Essential: HeartbeatEssential,
  More: () => null,
  nameHint: 'What the job is called.',
  nameFor: () => 'Heartbeat',
  tryOut: null,
  save: (checkId, shared, own) => saveCheck('HEARTBEAT', checkId, { ...writeCommon(shared), ...writeHeartbeat(own) }),
}
