import type { RunnableKind } from '@vedette/schema'
import type { Details } from './details.ts'
import { dnsDetails } from './dns.ts'
import { grpcDetails } from './grpc.ts'
import { apiDetails, urlDetails } from './http.ts'
import { icmpDetails } from './icmp.ts'
import { browserDetails, multiStepDetails, playwrightDetails } from './script.ts'
import { sslDetails } from './ssl.ts'
import { tcpDetails } from './tcp.ts'

export const details: { [K in RunnableKind]: Details<K> } = {
  API: apiDetails,
  URL: urlDetails,
  DNS: dnsDetails,
  GRPC: grpcDetails,
  TCP: tcpDetails,
  ICMP: icmpDetails,
  SSL: sslDetails,
  MULTI_STEP: multiStepDetails,
  BROWSER: browserDetails,
  PLAYWRIGHT: playwrightDetails,
}
