import type { RunnableKind } from '@vedette/schema'
import { apiProbe } from './api.ts'
import { dnsProbe } from './dns.ts'
import { grpcProbe } from './grpc.ts'
import { icmpProbe } from './icmp.ts'
import type { Probe } from './probe.ts'
import { scriptProbe, suiteProbe } from './script.ts'
import { sslProbe } from './ssl.ts'
import { tcpProbe } from './tcp.ts'
import { urlProbe } from './url.ts'

export const probes: { [K in RunnableKind]: Probe<K> } = {
  API: apiProbe,
  URL: urlProbe,
  DNS: dnsProbe,
  GRPC: grpcProbe,
  TCP: tcpProbe,
  ICMP: icmpProbe,
  SSL: sslProbe,
  MULTI_STEP: scriptProbe('MULTI_STEP'),
  BROWSER: scriptProbe('BROWSER'),
  PLAYWRIGHT: suiteProbe,
}
