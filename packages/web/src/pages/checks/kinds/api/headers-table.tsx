import { Disclosure } from '../../../../components/disclosure.tsx'

export function HeadersTable({ title, headers }: { title: string; headers: Record<string, string> }) {
  const rows = Object.entries(headers)
  if (rows.length === 0) return null
  return (
    <Disclosure summary={`${title} (${rows.length})`}>
      <table className="data-table data-table-inset table-fixed">
        <caption className="sr-only">{title}</caption>
        <colgroup>
          <col className="w-2/5 sm:w-60" />
          <col />
        </colgroup>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row" className="font-mono text-[0.8125rem]! break-words">
                {name}
              </th>
              <td className="font-mono text-[0.8125rem] break-all">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Disclosure>
  )
}
