/** Every check kind that can run has its view here: a missing one does not compile. */
import type { CheckResult, RunnableKind } from '@vedette/schema'
import { apiView } from './api/api-view.ts'
import { browserView } from './browser/browser-view.ts'
import { dnsView } from './dns/dns-view.ts'
import { grpcView } from './grpc/grpc-view.ts'
import { heartbeatView } from './heartbeat/heartbeat-view.ts'
import { icmpView } from './icmp/icmp-view.ts'
import type { FormView, KindView } from './kind-view.ts'
import { type FormKind, runnableKind } from './kind-words.ts'
import { multiStepView } from './multi-step/multi-step-view.ts'
import { playwrightView } from './playwright/playwright-view.ts'
import { sslView } from './ssl/ssl-view.ts'
import { tcpView } from './tcp/tcp-view.ts'
import { urlView } from './url/url-view.ts'

export const kinds: { [K in RunnableKind]: KindView<K> } = {
  API: apiView,
  URL: urlView,
  DNS: dnsView,
  GRPC: grpcView,
  TCP: tcpView,
  ICMP: icmpView,
  SSL: sslView,
  MULTI_STEP: multiStepView,
  BROWSER: browserView,
  PLAYWRIGHT: playwrightView,
}

/** Those that run, and those that are only waited for. */
export const forms: { [K in FormKind]: FormView<K> } = { ...kinds, HEARTBEAT: heartbeatView }

export const kindOf = (result: CheckResult): RunnableKind | undefined => runnableKind(result.checkType ?? 'API')
