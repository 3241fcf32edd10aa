/** The judge of every kind that can run: a missing one does not compile. */
import type { KindObservations, KindSettings, RunnableKind } from '@vedette/schema'
import { judgeDns } from './judge-dns.ts'
import { judgeGrpc } from './judge-grpc.ts'
import { judgeHttp } from './judge-http.ts'
import { judgeIcmp } from './judge-icmp.ts'
import { judgeScript } from './judge-script.ts'
import { judgeSsl } from './judge-ssl.ts'
import { judgeTcp } from './judge-tcp.ts'
import type { Judgement } from './judgement.ts'

export type Judges = {
  [K in RunnableKind]: (settings: KindSettings<K>, observation: KindObservations[K]) => Judgement
}

export const judges: Judges = {
  API: judgeHttp,
  URL: judgeHttp,
  DNS: judgeDns,
  GRPC: judgeGrpc,
  TCP: judgeTcp,
  ICMP: judgeIcmp,
  SSL: judgeSsl,
  MULTI_STEP: judgeScript,
  BROWSER: judgeScript,
  PLAYWRIGHT: judgeScript,
}
