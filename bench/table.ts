/** The table that `npm run bench` prints. */
export interface Row {
  figure: string
  budget: string
  measured: string
  met: boolean
}

export function toMarkdown(rows: readonly Row[]): string {
  const lines = rows.map((row) => `| ${row.figure} | ${row.budget} | ${row.measured} | ${row.met ? 'yes' : '**no**'} |`)
  return ['| figure | budget | measured | met |', '| --- | --- | --- | --- |', ...lines].join('\n')
}
