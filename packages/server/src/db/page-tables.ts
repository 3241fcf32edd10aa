/** The tables of dashboards and status pages. */
import type {
  DashboardIncident,
  DashboardIncidentUpdate,
  DashboardSettings,
  IncidentStatus,
  StatusPageIncident,
  StatusPageSettings,
  StatusPageSubscription,
} from '@vedette/schema'
import type { ColumnType, Generated } from 'kysely'

type Instant = ColumnType<Date, Date | string, Date | string>
type InstantByDefault = ColumnType<Date, Date | string | undefined, Date | string>

interface Dated {
  created_at: InstantByDefault
  updated_at: Instant | null
}

export interface PageTables {
  dashboards: Dated & {
    id: Generated<number>
    account_id: string
    dashboard_id: string
    custom_url: string
    custom_domain: string | null
    settings: ColumnType<DashboardSettings, string, string>
  }
  dashboard_keys: {
    id: Generated<string>
    dashboard_id: number
    key_hash: Buffer
    /** Of what the browser of a holder shows instead of the key; null where that is not known yet. */
    visit_hash: Buffer | null
    last_characters: string
    created_at: InstantByDefault
  }
  dashboard_incidents: Dated & {
    id: Generated<string>
    account_id: string
    dashboard_id: number
    name: string
    impact: DashboardIncident['impact']
    started_at: Instant | null
    stopped_at: Instant | null
  }
  dashboard_incident_updates: Dated & {
    no: Generated<number>
    id: Generated<string>
    incident_id: string
    status: DashboardIncidentUpdate['status']
    description: string
  }
  status_page_services: Dated & { id: Generated<string>; account_id: string; name: string }
  status_pages: Dated & {
    id: Generated<string>
    account_id: string
    name: string
    url: string
    custom_domain: string | null
    settings: ColumnType<StatusPageSettings, string, string>
  }
  status_page_cards: Dated & { id: Generated<string>; page_id: string; place: number; name: string }
  status_page_card_services: { card_id: string; service_id: string; place: number }
  status_page_incidents: Dated & {
    id: Generated<string>
    account_id: string
    name: string
    severity: StatusPageIncident['severity']
    /** The check that opened it by itself. */
    check_no: Generated<number | null>
  }
  status_page_incident_services: { incident_id: string; service_id: string; place: number }
  status_page_incident_updates: Dated & {
    no: Generated<number>
    id: Generated<string>
    incident_id: string
    status: IncidentStatus
    description: string
    notify_subscribers: boolean
    public_at: Instant
  }
  status_page_subscriptions: Dated & {
    id: Generated<string>
    account_id: string
    page_id: string
    address: string
    status: StatusPageSubscription['status']
    token_hash: Generated<Buffer | null>
    /** Null until the first mail. */
    sealed_token: Generated<string | null>
    asked_at: ColumnType<Date | null, Date | string | undefined, Date | string>
    asks: Generated<number>
    refusals: Generated<number>
    last_refusal: Generated<string | null>
  }
  status_page_news: {
    update_id: string
    page_id: string
    due_at: Instant
    reader_id: Generated<string | null>
    place: Generated<number>
  }
  status_page_mails: {
    id: Generated<string>
    subscription_id: string
    /** Null: the question whether the address wants mail. */
    update_id: string | null
    news_at: InstantByDefault
    no: Generated<number>
    turn_at: InstantByDefault
    tries: Generated<number>
    due_at: InstantByDefault
    leased_until: ColumnType<Date | null, Date | undefined, Date>
    created_at: InstantByDefault
  }
}
