/** What channels need of the server besides a configuration of their own. */
import type { PhoneGateway } from './phone-gateway.ts'

export interface ChannelSettings {
  /** Null: nobody can be called or written to. */
  phone: PhoneGateway | null
  /** Where PagerDuty takes events; without a slash at the end. */
  pagerdutyUrl: string
  /** Undefined: by the region of the channel. */
  opsgenieUrl: string | undefined
}
