/** What a call that did not succeed throws: the server refused, or could not be reached. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** Dotted paths of the fields at fault, as the server names them. */
  readonly keys: readonly string[]

  constructor(status: number, message: string, keys: readonly string[] = []) {
    super(message)
    this.status = status
    this.keys = keys
  }
}

export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

export const isRefusal = (error: unknown, status: number): boolean =>
  error instanceof Refusal && error.status === status

/** Reads a refusal from whatever came back: a proxy on the way may answer without our shape. */
export async function readRefusal(response: Response): Promise<Refusal> {
  const plain = `The server answered ${response.status} ${response.statusText}`.trim()
  try {
    const body: unknown = await response.json()
    if (!isRecord(body)) return new Refusal(response.status, plain)
    const keys = isRecord(body.validation) && Array.isArray(body.validation.keys) ? body.validation.keys : []
    return new Refusal(
      response.status,
      typeof body.message === 'string' && body.message !== '' ? body.message : plain,
      keys.filter((key): key is string => typeof key === 'string'),
    )
  } catch {
    return new Refusal(response.status, plain)
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
