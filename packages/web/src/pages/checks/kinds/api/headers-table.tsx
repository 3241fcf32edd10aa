import { Disclosure } from '../../../../components/disclosure.tsx'

export function HeadersTable({ title, headers }: { title: string; headers: Record<string, string> }) {
  const rows = Object.entries(headers)
  if (rows.length === 0) return null
  return (
    <Disclosure summary={`${title} (${rows.length})`}>
      <table className="data-table table-fixed">
        <caption className="sr-only">{title}</caption>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row" className="w-2/5 px-0! font-mono text-[0.8125rem]! break-words sm:w-56">
                {name}
              </th>
              <td className="pr-0! font-mono text-[0.8125rem] break-all">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Disclosure>
  )
}
