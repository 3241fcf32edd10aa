import type { DryRun } from '@vedette/schema'
import { useEffect, useRef, useState } from 'react'
import { announce } from '../../../components/announcer.tsx'
import { verdicts } from '../verdict.tsx'

interface TryOut {
  running: boolean
  /** What came of the last one. */
  outcome: DryRun | null
  start: (run: (signal: AbortSignal) => Promise<DryRun>) => Promise<void>
}

/** Leaving the page ends what is under way: nobody would see its outcome. */
export function useTryOut(): TryOut {
  const [running, setRunning] = useState(false)
  const [outcome, setOutcome] = useState<DryRun | null>(null)
  const underWay = useRef<AbortController | null>(null)
  useEffect(() => () => underWay.current?.abort(), [])
  const start = async (run: (signal: AbortSignal) => Promise<DryRun>) => {
    const controller = new AbortController()
    underWay.current = controller
    setRunning(true)
    setOutcome(null)
    try {
      const done = await run(controller.signal)
      setOutcome(done)
      announce(`The run has ended. ${verdicts[done.verdict].long}: ${done.decision.reason}.`)
    } catch (error) {
      if (!controller.signal.aborted) throw error
    } finally {
      if (!controller.signal.aborted) setRunning(false)
    }
  }
  return { running, outcome, start }
}
