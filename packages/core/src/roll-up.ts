/**
 * Results of a stretch of time, summed up. Those with the same outcome and the same answer share a cell, so that a
 * question about some of them (the failing ones, those with status 503) is answered by adding cells.
 */
import { VERDICTS, type Verdict } from '@vedette/schema'
import { ByteReader, ByteWriter } from './bytes.ts'
import { PercentileSketch } from './percentile-sketch.ts'

/** What the results of a cell have in common. */
export interface CellKey {
  verdict: Verdict
  /** False: an attempt that was followed by another. */
  final: boolean
  /** Null without an answer. */
  statusCode: number | null
}

export interface Cell extends CellKey {
  count: number
  /** By measure: the main time first, then those that a kind of check has besides it. */
  times: readonly PercentileSketch[]
}

/** As stored: the main time is read far more often than the others, so they are kept apart. */
export interface RollUpBytes {
  main: Uint8Array
  others: Uint8Array
}

export class RollUp {
  readonly #cells = new Map<number, Cell>()

  cells(): Cell[] {
    return [...this.#cells].sort(([a], [b]) => a - b).map(([, cell]) => cell)
  }

  /** Adds a result with its measures; null: not measured. Trouble of our own says nothing about the target's times. */
  add(key: CellKey, times: readonly (number | null)[]): void {
    const cell = this.#cellFor(key, times.length)
    cell.count += 1
    if (key.verdict === 'error') return
    for (const [index, time] of times.entries()) if (time !== null) cell.times[index]?.add(time)
  }

  encode(): RollUpBytes {
    const main = new ByteWriter()
    const others = new ByteWriter()
    main.varint(this.#cells.size)
    for (const cell of this.cells()) {
      main.varint(VERDICTS.indexOf(cell.verdict) * 2 + (cell.final ? 1 : 0))
      main.varint(cell.statusCode === null ? 0 : cell.statusCode + 1)
      main.varint(cell.count)
      main.varint(cell.times.length)
      cell.times[0]?.write(main)
      for (const sketch of cell.times.slice(1)) {
        const part = new ByteWriter()
        sketch.write(part)
        others.part(part.done())
      }
    }
    return { main: main.done(), others: others.done() }
  }

  /** Adds what was encoded; without `others` the main time only. `wanted` says which of the others. */
  read({ main, others }: { main: Uint8Array; others: Uint8Array | null }, wanted: (measure: number) => boolean): void {
    const from = new ByteReader(main)
    const rest = others === null ? null : new ByteReader(others)
    const size = from.varint()
    for (let entry = 0; entry < size; entry += 1) {
      const outcome = from.varint()
      const status = from.varint()
      const count = from.varint()
      const measures = from.varint()
      const verdict = VERDICTS[Math.floor(outcome / 2)] ?? 'error'
      const key = { verdict, final: outcome % 2 === 1, statusCode: status === 0 ? null : status - 1 }
      const cell = this.#cellFor(key, measures)
      cell.count += count
      if (measures > 0) cell.times[0]?.read(from)
      for (let measure = 1; rest !== null && measure < measures; measure += 1) {
        const sketch = wanted(measure) ? cell.times[measure] : undefined
        if (sketch === undefined) rest.skipPart()
        else sketch.read(rest.part())
      }
    }
  }

  #cellFor(key: CellKey, measures: number): Cell {
    const number = numberOf(key)
    let cell = this.#cells.get(number)
    if (cell === undefined || cell.times.length < measures) {
      const added = Array.from({ length: measures - (cell?.times.length ?? 0) }, () => new PercentileSketch())
      cell = { ...key, count: cell?.count ?? 0, times: [...(cell?.times ?? []), ...added] }
      this.#cells.set(number, cell)
    }
    return cell
  }
}

/** One number for each key, in the order in which cells are written. */
function numberOf({ verdict, final, statusCode }: CellKey): number {
  return ((statusCode ?? -1) + 1) * 8 + VERDICTS.indexOf(verdict) * 2 + (final ? 1 : 0)
}
