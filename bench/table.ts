/** The table that `npm run bench` prints. */
export interface Row {
  figure: string
  budget: string
  measured: string
  /** Null: there is no budget. */
  met: boolean | null
}

export function toMarkdown(rows: readonly Row[]): string {
  const lines = rows.map((row) => `| ${row.figure} | ${row.budget} | ${row.measured} | ${words(row.met)} |`)
  return ['| figure | budget | measured | met |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

const words = (met: boolean | null) => (met === null ? '–' : met ? 'yes' : '**no**')
