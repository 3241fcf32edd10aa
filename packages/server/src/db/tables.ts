/** The tables as types. No row type leaves the files that query. */
import type { SelfWatch } from '@vedette/core'
import type {
  AccountSettings,
  AlertMessage,
  AlertSettings,
  AlertType,
  ChannelConfig,
  ChannelType,
  CheckKind,
  DecisionInputs,
  DecisionRule,
  HeartbeatState,
  Isolation,
  NotificationStatus,
  RepeatUnit,
  Role,
  RunnableKind,
  RunnerBrowser,
  RunnerRuntime,
  RuntimeId,
  ScriptLoad,
  SessionStatus,
  TargetState,
  Verdict,
  WithheldReason,
} from '@vedette/schema'
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { DeadMan } from './dead-man.ts'
import type { Demand } from './demand.ts'
import type { PageTables } from './page-tables.ts'

type Instant = ColumnType<Date, Date | string, Date | string>
type InstantByDefault = ColumnType<Date, Date | string | undefined, Date | string>

interface RollUpRow {
  check_no: number
  starts_at: Instant
  location_no: number
  page: Generated<number>
  main: Buffer
  others: Buffer
  url: string | null
}

export interface Tables extends PageTables {
  installation: { key: string; value: JSONColumnType<Record<string, unknown>> }
  accounts: {
    id: Generated<string>
    name: string
    runtime_id: Generated<string>
    settings: ColumnType<Partial<AccountSettings>, string | undefined, string>
    alert_settings: ColumnType<AlertSettings, string, string>
    is_first: Generated<boolean>
    created_at: InstantByDefault
  }
  users: {
    id: Generated<string>
    name: string
    password_hash: string | null
    email: string | null
    epoch: Generated<number>
    created_at: InstantByDefault
  }
  memberships: {
    account_id: string
    user_id: string
    role: Role
    created_at: InstantByDefault
    updated_at: Instant | null
  }
  invitations: {
    id: Generated<string>
    account_id: string
    token_hash: Buffer
    role: Role
    email: string | null
    invited_by: string | null
    created_at: InstantByDefault
    expires_at: Instant
  }
  idempotency_keys: {
    account_id: string
    key_hash: Buffer
    request_hash: Buffer
    claim: string
    claimed_at: InstantByDefault
    done: Generated<boolean>
    subject: string | null
    status: number | null
    answer: Buffer | null
    created_at: InstantByDefault
  }
  api_keys: {
    id: Generated<string>
    key_hash: Buffer
    name: string
    last_characters: string
    user_id: string | null
    account_id: string | null
    role: Role | null
    created_at: InstantByDefault
    last_used_at: Instant | null
  }
  web_sessions: {
    token_hash: Buffer
    user_id: string
    account_id: string | null
    epoch: number
    created_at: InstantByDefault
    last_seen_at: InstantByDefault
  }
  locations: {
    no: Generated<number>
    id: Generated<string>
    account_id: string | null
    slug: string
    name: string
    icon: Generated<string>
    sealed_proxy_url: string | null
    created_at: InstantByDefault
    updated_at: Instant | null
  }
  location_keys: {
    id: Generated<string>
    location_no: number | null
    key_hash: Buffer
    last_characters: string
    created_at: InstantByDefault
  }
  runners: {
    id: Generated<number>
    key_id: string
    name: string
    version: string
    kinds: RunnableKind[]
    built_in: boolean
    location_no: number | null
    trouble: string | null
    controls: Generated<string[]>
    quarantined_at: Instant | null
    quarantine_reason: string | null
    contrary_beats: Generated<number>
    clock_ahead_ms: Generated<number | null>
    isolation: ColumnType<Isolation | null, string | null | undefined, string | null>
    runtimes: ColumnType<RunnerRuntime[], string | undefined, string>
    browser: ColumnType<RunnerBrowser | null, string | null | undefined, string | null>
    records_video: Generated<boolean>
    script_load: ColumnType<ScriptLoad | null, string | null | undefined, string | null>
    signed_in_at: InstantByDefault
    last_seen_at: InstantByDefault
  }
  check_groups: {
    id: Generated<number>
    account_id: string
    version: 1 | 2
    name: string
    activated: boolean
    muted: boolean
    tags: string[]
    settings: ColumnType<unknown, string, string>
    sealed: string | null
    created_at: InstantByDefault
    updated_at: Instant | null
  }
  checks: {
    no: Generated<number>
    id: Generated<string>
    account_id: string
    kind: CheckKind
    name: string
    activated: boolean
    muted: boolean
    tags: string[]
    settings: ColumnType<unknown, string, string>
    sealed: string | null
    group_id: number | null
    group_order: number | null
    effective_activated: boolean
    effective_muted: boolean
    effective_tags: string[]
    effective_settings: ColumnType<unknown, string, string>
    effective_sealed: string | null
    active_since: InstantByDefault
    paused_from: ColumnType<Date | null, never, never>
    paused_until: ColumnType<Date | null, never, never>
    created_at: InstantByDefault
    updated_at: Instant | null
  }
  alert_channels: {
    id: Generated<number>
    account_id: string
    type: ChannelType
    config: ColumnType<ChannelConfig<ChannelType>, string, string>
    sealed: string | null
    send_failure: boolean
    send_recovery: boolean
    send_degraded: boolean
    ssl_expiry: boolean
    ssl_expiry_threshold: number
    auto_subscribe: boolean
    fallback_channel_id: number | null
    created_at: InstantByDefault
    updated_at: Instant | null
  }
  subscriptions: {
    id: Generated<number>
    channel_id: number
    check_no: number | null
    group_id: number | null
    activated: boolean
  }
  schedule: {
    id: Generated<number>
    check_no: number
    location_no: number
    rotation: Generated<number>
    parallel: boolean
    session_id: string | null
    demand: ColumnType<Demand | null, string | null | undefined, never>
    due_at: Instant
    check_run_id: number | null
    attempt: Generated<number>
    first_started_at: Instant | null
    errors: Generated<number>
    opinion_on: number | null
    contradicted: number[] | null
    losses: Generated<number>
    lease_id: string | null
    runner_id: number | null
    leased_at: Instant | null
    kept_id: string | null
    kept_fingerprint: string | null
    last_check_run_id: number | null
    last_verdict: Verdict | null
  }
  check_certificates: {
    check_no: number
    host: string
    fingerprint: string
    expires_at: Instant
    seen_at: Instant
  }
  certificate_inspections: {
    check_no: number
    host: string
    due_at: InstantByDefault
    tries: Generated<number>
  }
  dry_runs: {
    id: string
    account_id: string
    location_no: number
    kind: RunnableKind
    check_id: string
    group_id: number | null
    inspects: number | null
    runtime_id: RuntimeId | null
    sealed: string
    created_at: InstantByDefault
    expires_at: Instant
    lease_id: string | null
    runner_id: number | null
    leased_at: Instant | null
    report: string | null
  }
  check_states: {
    check_no: number
    has_failures: Generated<boolean>
    has_errors: Generated<boolean>
    is_degraded: Generated<boolean>
    longest_run: number | null
    shortest_run: number | null
    last_location_no: number | null
    last_check_run_id: number | null
    created_at: InstantByDefault
    updated_at: Instant | null
    state: Generated<'passing' | 'degraded' | 'failing'>
    since: InstantByDefault
    run_count: Generated<number>
    notified_failure: Generated<boolean>
    notified_degraded: Generated<boolean>
    held_since: Instant | null
    judged_until: Instant | null
  }
  check_results: {
    id: string
    check_no: number
    location_no: number
    started_at: Instant
    check_run_id: number
    detail_id: string | null
    recorded_after_ms: number
    duration_ms: number
    response_time_ms: number
    wait_ms: number | null
    dns_ms: number | null
    tcp_ms: number | null
    first_byte_ms: number | null
    download_ms: number | null
    status_code: number | null
    attempt: number
    flags: number
  }
  result_details: { id: string; check_no: number; detail: Buffer }
  page_measurements: {
    id: string
    check_no: number
    page_index: number
    url: string
    ttfb: number | null
    fcp: number | null
    lcp: number | null
    cls: number | null
    tbt: number | null
  }
  missed_runs: {
    id: Generated<number>
    check_no: number
    location_no: number
    slot_at: Instant
    slots: number
    reason: string
    recorded_at: InstantByDefault
  }
  check_sessions: {
    id: string
    account_id: string
    check_no: number
    status: SessionStatus
    started_at: InstantByDefault
    stopped_at: Instant | null
    deadline_at: Instant
    locations: number[]
  }
  session_results: {
    session_id: string
    result_id: string
    location_no: number
    result_type: string
    verdict: Verdict
  }
  error_groups: {
    id: Generated<string>
    check_no: number
    error_hash: string
    raw_message: string | null
    cleaned_message: string
    first_seen: Instant
    last_seen: Instant
    archived_until_next_event: Generated<boolean>
    archived_for_ever: Generated<boolean>
  }
  error_group_days: {
    group_id: string
    day: Instant
    seen: number
  }
  check_alerts: {
    id: Generated<number>
    account_id: string
    check_no: number
    alert_type: AlertType
    location_no: number | null
    result_id: string
    response_time_ms: number
    error: string | null
    status_code: number | null
    reason: ColumnType<unknown, string, string>
    started_at: Instant
    created_at: InstantByDefault
  }
  alert_decisions: {
    id: Generated<number>
    check_no: number
    at: Instant
    check_run_id: number | null
    result_id: string | null
    from_state: TargetState | null
    to_state: TargetState | null
    alert_type: AlertType
    rule: DecisionRule
    inputs: ColumnType<DecisionInputs, never, never>
    due: boolean
    muted: boolean
    alert_id: number | null
    channels: ColumnType<{ channelId: number; because: WithheldReason | null }[], never, never>
    decided_at: InstantByDefault
  }
  acknowledgements: { check_no: number; since: Instant; at: Instant; by_whom: string; note: string | null }
  alert_reminders: { check_no: number; alert_id: number; due_at: Instant; sent: Generated<number> }
  notifications: {
    id: string
    account_id: string
    check_alert_id: number | null
    check_no: number | null
    check_id: string
    check_kind: CheckKind
    channel_id: number
    channel_type: ChannelType
    config: ColumnType<ChannelConfig<ChannelType>, string, string>
    sealed: string | null
    message: ColumnType<AlertMessage, string, string>
    result_id: string
    status: NotificationStatus
    tries: Generated<number>
    due_at: InstantByDefault
    leased_until: Instant | null
    outcome: string | null
    tried_at: Instant | null
    created_at: InstantByDefault
    seq: ColumnType<number, never, never>
    handed_at: Instant | null
    decided_at: InstantByDefault
    digest_id: string | null
    carries: number[] | null
    fallback_of: string | null
    fallback_for: number | null
  }
  heartbeats: {
    check_no: number
    token: string
    timer_started_at: Instant | null
    last_ping_at: Instant | null
    due_at: Instant | null
    deadline_at: Instant | null
    job_started_at: Instant | null
  }
  self_watch: {
    is_only: Generated<boolean>
    check_id: Generated<string | null>
    watch: JSONColumnType<SelfWatch>
    dead_man: JSONColumnType<DeadMan, string | undefined>
  }
  heartbeat_watch: { is_only: Generated<boolean>; seen_at: Instant }
  heartbeat_events: {
    id: Generated<string>
    check_no: number
    state: HeartbeatState
    at: Instant
    source: string | null
    user_agent: string | null
    error: string | null
    body: string | null
    exit_code: number | null
    duration_ms: number | null
  }
  triggers: {
    id: Generated<number>
    account_id: string
    check_no: number | null
    group_id: number | null
    token: string
    created_at: InstantByDefault
    called_at: Instant | null
    updated_at: Instant | null
  }
  audit_log: {
    id: Generated<number>
    account_id: string
    at: InstantByDefault
    user_id: string | null
    key_id: string | null
    actor_name: string | null
    address: string
    operation: string
    subject: string
    before: ColumnType<unknown, string | null, never>
    after: ColumnType<unknown, string | null, never>
  }
  variables: {
    id: string
    account_id: string
    key: string
    value: string | null
    sealed_value: string | null
    locked: boolean
    secret: boolean
    created_at: InstantByDefault
    updated_at: Instant | null
  }
  snippets: {
    id: Generated<number>
    account_id: string
    name: string
    script: string
    created_at: InstantByDefault
    updated_at: Instant | null
  }
  code_bundles: {
    account_id: string
    sha256: string
    size: number
    files: number
    created_at: InstantByDefault
    last_used_at: InstantByDefault
  }
  client_certificates: {
    id: string
    account_id: string
    host: string
    cert: string
    ca: string | null
    sealed_key: string
    sealed_passphrase: string | null
    created_at: InstantByDefault
  }
  maintenance_windows: {
    id: Generated<number>
    account_id: string
    name: string
    description: string | null
    tags: string[]
    pause_all_checks: boolean
    starts_at: Instant
    ends_at: Instant
    repeat_unit: RepeatUnit | null
    repeat_interval: number | null
    repeat_ends_at: Instant | null
    timezone: string | null
    created_at: InstantByDefault
    updated_at: Instant | null
  }
  location_samples: { location_no: number; at: Instant; queue_size: number; oldest_seconds: number }
  roll_ups_hour: RollUpRow
  roll_ups_day: RollUpRow
  roll_up_progress: { is_only: Generated<boolean>; rolled_up_to: Instant }
  metrics_tokens: {
    id: Generated<string>
    account_id: string
    key_hash: Buffer
    name: string
    last_characters: string
    created_at: InstantByDefault
  }
  tasks: { name: string; due_at: InstantByDefault }
  coverage: { server_id: string; minute: Instant; done: number; in_error: number; lateness: number[] }
}
