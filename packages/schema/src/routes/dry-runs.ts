import Type, { type TObject } from 'typebox'
import { DryRun } from '../dry-run.ts'
import { ApiCheckUpdate } from '../kinds/api.ts'
import { BrowserCheckUpdate } from '../kinds/browser.ts'
import { DnsCheckPartial } from '../kinds/dns.ts'
import { GrpcCheckUpdate } from '../kinds/grpc.ts'
import { HeartbeatCheckUpdate } from '../kinds/heartbeat.ts'
import { IcmpCheckUpdate } from '../kinds/icmp.ts'
import { MultiStepCheckUpdate } from '../kinds/multi-step.ts'
import { PlaywrightCheckUpdate } from '../kinds/playwright.ts'
import { SslCheckUpdate } from '../kinds/ssl.ts'
import { TcpCheckUpdate } from '../kinds/tcp.ts'
import { UrlCheckUpdate } from '../kinds/url.ts'
import { DataCenter } from '../location.ts'
import { route } from '../route.ts'
import { Uuid } from '../shape.ts'

const query = Type.Object({
  checkId: Type.Optional(Uuid),
  runLocation: Type.Optional(
    Type.Union([DataCenter, Type.String({ maxLength: 30 })], {
      description: 'Where to run; else the first location of the definition that has a runner.',
    }),
  ),
})

const tries = <const P extends string, B extends TObject>(segment: P, name: string, body: B) =>
  ({
    method: 'POST',
    path: `/v1/checks/${segment}/dry-run`,
    policy: 'write',
    tag: 'Checks',
    summary: `Run ${name} once without keeping it, and explain the outcome`,
    description:
      'The body is that of a create; with `checkId` that of an update: absent fields are as stored. A runner of the location carries it out. It leaves no check, no result, no state and no alert. Waits until the run has ended: 30 seconds for a runner and the limit of an attempt at most.',
    query,
    rate: { requests: 10, seconds: 60 },
    body,
    answers: { 200: DryRun },
    refusals: {
      404: 'There is no such check of this kind to start from.',
      409: 'Checks of this kind cannot be run.',
      503: 'No runner of the location has taken the run, or brought it back, in time.',
    },
  }) as const

/** Scripts and the files that they import need room. */
const bodyLimit = 10 * 1024 * 1024

export const dryRunApiCheck = route(tries('api', 'an API check', ApiCheckUpdate))
export const dryRunUrlCheck = route(tries('url', 'a URL check', UrlCheckUpdate))
export const dryRunGrpcCheck = route(tries('grpc', 'a gRPC check', GrpcCheckUpdate))
export const dryRunIcmpCheck = route(tries('icmp', 'an ICMP check', IcmpCheckUpdate))
export const dryRunSslCheck = route(tries('ssl', 'an SSL check', SslCheckUpdate))
export const dryRunTcpCheck = route(tries('tcp', 'a TCP check', TcpCheckUpdate))
export const dryRunDnsCheck = route(tries('dns', 'a DNS check', DnsCheckPartial))
export const dryRunBrowserCheck = route({ ...tries('browser', 'a browser check', BrowserCheckUpdate), bodyLimit })
export const dryRunMultiStepCheck = route({
  ...tries('multistep', 'a multi-step check', MultiStepCheckUpdate),
  bodyLimit,
})
export const dryRunPlaywrightCheck = route({ ...tries('playwright', 'a suite', PlaywrightCheckUpdate), bodyLimit })
export const dryRunHeartbeatCheck = route(tries('heartbeat', 'a heartbeat', HeartbeatCheckUpdate))
