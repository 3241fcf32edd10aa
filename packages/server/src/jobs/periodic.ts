/**
 * Periodic work. Every server looks every second; a task is done by whoever moves its due time forward, so any number
 * of servers do it once. A task that dies is due again at its next time.
 */
import type { Db } from '../db/database.ts'
import { isDatabaseAway } from '../db/database-away.ts'
import type { Log } from '../log.ts'
import { claimTask } from './store.ts'

export interface Task {
  name: string
  everyMs: number
  run(): Promise<void>
}

const LOOK_EVERY_MS = 1000

export function startPeriodicWork(db: Db, tasks: readonly Task[], log: Log): { stop(): Promise<void> } {
  let working: Promise<void> | undefined
  let stopped = false
  const work = async () => {
    for (const task of tasks) {
      if (stopped) return
      try {
        if (await claimTask(db, task.name, task.everyMs)) await task.run()
      } catch (error) {
        if (isDatabaseAway(error)) return
        log.error('Periodic work failed', { task: task.name, error })
      }
    }
  }
  const timer = setInterval(() => {
    working ??= work().finally(() => {
      working = undefined
    })
  }, LOOK_EVERY_MS)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await working
    },
  }
}
