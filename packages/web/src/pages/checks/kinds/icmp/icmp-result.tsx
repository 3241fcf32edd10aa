import type { IcmpCheckResult } from '@vedette/schema'
import { formatMs } from '../../../../components/number.ts'
import { Scroll } from '../../../../components/scroll.tsx'
import { Section } from '../../../../components/section.tsx'
import { AssertionsSection } from '../assertions/assertions-section.tsx'

/** What became of the pings: as a whole, and each. */
export function IcmpResult({ detail }: { detail: IcmpCheckResult }) {
  const { request, response, assertions } = detail
  const { packetsSent, packetsLost, packetLoss, latency, times, resolvedIp } = response
  return (
    <>
      <Section
        title="Pings"
        aside={resolvedIp && <span className="font-mono text-[0.8125rem] break-all">to {resolvedIp}</span>}
      >
        {packetLoss === null ? (
          <p className="text-soft">None was sent.</p>
        ) : (
          <dl className="grid grid-cols-2 gap-4 sm:grid-cols-5">
            <Figure name="Lost" value={`${packetsLost} of ${packetsSent} (${packetLoss} %)`} />
            {latency !== null && (
              <>
                <Figure name="Average" value={latencyWords(latency.avg)} />
                <Figure name="Lowest" value={latencyWords(latency.min)} />
                <Figure name="Highest" value={latencyWords(latency.max)} />
                <Figure name="Deviation" value={latencyWords(latency.stdDev)} />
              </>
            )}
          </dl>
        )}
      </Section>
      {times !== null && <Times times={times} />}
      <AssertionsSection assertions={assertions} />
      <Section title="Request">
        <p className="font-mono text-[0.8125rem] break-all">
          {request.hostname}
          <span className="ml-3 font-sans text-faint">
            {request.ipFamily}, {request.pingCount} pings
          </span>
        </p>
      </Section>
    </>
  )
}

const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })

/** In a network of one’s own pings take less than a millisecond. */
const latencyWords = (ms: number): string => (ms < 1 ? `${short.format(ms)} ms` : formatMs(ms))

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-[0.8125rem] text-faint">{name}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  )
}

function Times({ times }: { times: readonly (number | null)[] }) {
  const longest = Math.max(...times.map((time) => time ?? 0), 0.001)
  return (
    <Section title="Each ping" flush>
      <Scroll label="Each ping">
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">Ping</th>
              <th scope="col" className="w-full">
                <span className="sr-only">Compared with the others</span>
              </th>
              <th scope="col">Time</th>
            </tr>
          </thead>
          <tbody>
            {times.map((time, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a ping is its place in the order
              <tr key={index}>
                <td>{index + 1}</td>
                <td>
                  <div aria-hidden="true" className="mt-0.75 h-3.5 rounded-sm bg-sunken">
                    {time !== null && (
                      <div
                        className="h-full rounded-sm bg-(--series-1)"
                        style={{ width: `${(100 * time) / longest}%` }}
                      />
                    )}
                  </div>
                </td>
                <td className="text-right whitespace-nowrap tabular-nums">
                  {time === null ? <span className="text-bad">lost</span> : latencyWords(time)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Section>
  )
}
