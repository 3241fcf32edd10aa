/** Figures kept for each check, whichever dashboards show it and in whatever order; those that are missing are measured together. */
import type { KnownCheck } from '../../results/roll-up-store.ts'
import { Copies, type CopiesOptions } from '../copies.ts'
import type { Figures, FiguresOf } from './figures.ts'

export class FiguresByCheck {
  readonly #copies: Copies<Figures>

  constructor(options: CopiesOptions) {
    let told: unknown = null
    this.#copies = new Copies({
      ...options,
      onTrouble: (key, error) => {
        // What could not be measured together has failed for each of them.
        if (error === told) return
        told = error
        options.onTrouble(key, error)
      },
    })
  }

  async of<Check extends KnownCheck>(
    checks: readonly Check[],
    measure: (missing: readonly Check[]) => Promise<FiguresOf>,
  ): Promise<FiguresOf> {
    const missing: Check[] = []
    let measuring: Promise<FiguresOf> | null = null
    const measured = async (check: Check): Promise<Figures | null> => {
      missing.push(check)
      // Begun after all were asked for.
      measuring ??= Promise.resolve().then(() => measure(missing))
      return (await measuring).get(check.no) ?? null
    }
    const found = await Promise.all(
      checks.map(async (check) => [check.no, await this.#copies.get(`${check.no}`, () => measured(check))] as const),
    )
    return new Map(found.flatMap(([no, { value }]) => (value === null ? [] : [[no, value] as const])))
  }
}
