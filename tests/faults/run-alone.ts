/**
 * The executing part of a runner in a process of its own, for troubles that strike a whole process: it carries out what
 * each line of its input asks for and answers with a line.
 */
import { createInterface } from 'node:readline'
import { egressPolicy } from '../../packages/core/src/index.ts'
import { executeRun } from '../../packages/runner/src/execute-run.ts'
import { TroubleWatch } from '../../packages/runner/src/own-trouble.ts'
import { Dialer } from '../../packages/runner/src/probes/http/dialer.ts'
import { Names } from '../../packages/runner/src/probes/http/names.ts'
import { leasedRun } from '../../packages/runner/src/testing/builders.ts'
import type { Asked, Told } from './own-trouble-scene.ts'

const names = new Names()
const dialer = new Dialer(names, egressPolicy('check-private-location', { allow: ['0.0.0.0/0', '::/0'] }))
const watch = new TroubleWatch({ names })
watch.start()

for await (const line of createInterface({ input: process.stdin })) {
  const { url, runs, limitMs, ipFamily }: Asked = JSON.parse(line)
  const reports = await Promise.all(
    Array.from({ length: runs }, () =>
      executeRun(leasedRun({ url, ipFamily }), performance.now(), { dialer, watch, limitsMs: { API: limitMs } }),
    ),
  )
  const told: Told = {
    verdicts: reports.map(({ verdict }) => verdict),
    errors: reports.map(({ error }) => error ?? ''),
  }
  console.log(JSON.stringify(told))
}
watch.stop()
