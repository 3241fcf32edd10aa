/** Passwords: argon2id (19 MiB, 2 passes), one at a time with a short queue, so that sign-ins cannot starve checks. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '../app-error.ts'

const MEMORY_KIB = 19 * 1024
const PASSES = 2
const QUEUE_LIMIT = 8

let lane: Promise<unknown> = Promise.resolve()
let waiting = 0

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await derive(password, salt)
  return `argon2id$${MEMORY_KIB}$${PASSES}$${salt.toString('base64url')}$${tag.toString('base64url')}`
}

/** Costs the same for an unknown person (`stored` null). @throws AppError `too-many` when too many are waiting. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, , , salt, tag] = (stored ?? '').split('$')
  const expected = Buffer.from(tag ?? '', 'base64url')
  const actual = await derive(password, salt === undefined ? Buffer.alloc(16) : Buffer.from(salt, 'base64url'))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

async function derive(password: string, salt: Buffer): Promise<Buffer> {
  if (waiting >= QUEUE_LIMIT) throw new AppError('too-many', 'Too many people are signing in. Try again in a moment.')
  waiting += 1
  const turn = lane.then(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        const parameters = {
          message: password,
          nonce: salt,
          parallelism: 1,
          tagLength: 32,
          memory: MEMORY_KIB,
          passes: PASSES,
        }
        argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)))
      }),
  )
  lane = turn.catch(() => undefined)
  try {
    return await turn
  } finally {
    waiting -= 1
  }
}
