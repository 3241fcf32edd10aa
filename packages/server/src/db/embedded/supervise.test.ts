import { test } from 'node:test'
import { supervise } from './supervise.ts'

test('a restart under way is given up when supervision ends', { timeout: 10_000 }, async () => {
  const restarting = Promise.withResolvers<void>()
  const supervision = supervise({
    isRunning: async () => false,
    log: () => {},
    restart: (signal) => {
      restarting.resolve()
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  const alive = setInterval(() => {}, 1_000) // the supervision itself does not keep a process alive
  await restarting.promise
  await supervision.end()
  clearInterval(alive)
})

test('a restart that fails is tried again', { timeout: 10_000 }, async () => {
  let attempts = 0
  const restarted = Promise.withResolvers<void>()
  const supervision = supervise({
    isRunning: async () => attempts === 2,
    log: () => {},
    async restart() {
      attempts += 1
      if (attempts === 1) throw new Error('not yet')
      restarted.resolve()
    },
  })
  const alive = setInterval(() => {}, 1_000)
  await restarted.promise
  await supervision.end()
  clearInterval(alive)
})
