-- Accounts, access, checks, schedule, results, alerts: everything that the path of one check needs.

create table installation (
  key text primary key,
  value jsonb not null
);

create table accounts (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  runtime_id text not null default '2025.04',
  alert_settings jsonb not null,
  -- Its owners operate the installation: they rule what all accounts share.
  is_first boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index accounts_first on accounts (is_first) where is_first;

create table users (
  id uuid primary key default gen_random_uuid(),
  name text not null unique,
  password_hash text,
  -- Raised by whatever must end all sessions of the person.
  epoch integer not null default 1,
  created_at timestamptz not null default now()
);

create table memberships (
  account_id uuid not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null,
  primary key (account_id, user_id)
);
create index memberships_of_user on memberships (user_id);

-- A key acts for a person (user_id) or for an account (account_id with a role).
create table api_keys (
  id uuid primary key default gen_random_uuid(),
  key_hash bytea not null unique,
  name text not null,
  last_characters text not null,
  user_id uuid references users on delete cascade,
  account_id uuid references accounts on delete cascade,
  role text,
  created_at timestamptz not null default now(),
  check ((user_id is null) <> (account_id is null)),
  check ((account_id is null) = (role is null))
);

create table web_sessions (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  epoch integer not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);

-- Data-center locations have no account; private ones belong to one.
create table locations (
  no integer generated always as identity primary key,
  id uuid not null unique default gen_random_uuid(),
  account_id uuid references accounts on delete cascade,
  slug text not null,
  name text not null,
  icon text not null default 'location',
  -- May hold credentials.
  sealed_proxy_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  unique nulls not distinct (account_id, slug)
);

create table location_keys (
  id uuid primary key default gen_random_uuid(),
  -- Null: the installation's own runner, which serves every data-center location that nobody else serves.
  location_no integer references locations on delete cascade,
  key_hash bytea not null unique,
  last_characters text not null,
  created_at timestamptz not null default now()
);

create table runners (
  id integer generated always as identity primary key,
  key_id uuid not null references location_keys on delete cascade,
  name text not null,
  version text not null,
  kinds text[] not null,
  built_in boolean not null,
  -- The one location of a runner from elsewhere; null for the built-in one.
  location_no integer references locations on delete cascade,
  trouble text,
  signed_in_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);

create table check_groups (
  id integer generated always as identity primary key,
  account_id uuid not null references accounts on delete cascade,
  -- 1: its settings always override those of its checks; 2: where it has an opinion.
  version smallint not null,
  name text not null,
  activated boolean not null,
  muted boolean not null,
  tags text[] not null,
  -- All other settings, in the API's words, without their secrets: those are in the sealed column, if there are any.
  settings jsonb not null,
  sealed text,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index check_groups_of_account on check_groups (account_id, id);

create table checks (
  -- Short internal number: results and schedule carry it instead of the id.
  no integer generated always as identity unique,
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  kind text not null,
  name text not null,
  activated boolean not null,
  muted boolean not null,
  tags text[] not null,
  -- All other settings, in the API's words, without their secrets: those are in the sealed column, if there are any.
  settings jsonb not null,
  sealed text,
  group_id integer references check_groups,
  group_order integer,
  -- The same with the settings of the group put over: what scheduling, judging and alerting go by.
  effective_activated boolean not null,
  effective_muted boolean not null,
  effective_tags text[] not null,
  effective_settings jsonb not null,
  effective_sealed text,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index checks_of_account on checks (account_id, created_at, no);
create index checks_of_group on checks (group_id, group_order, no) where group_id is not null;

create table alert_channels (
  id integer generated always as identity primary key,
  account_id uuid not null references accounts on delete cascade,
  type text not null,
  -- With masks for secrets: those are in the sealed column, if there are any.
  config jsonb not null,
  sealed text,
  send_failure boolean not null,
  send_recovery boolean not null,
  send_degraded boolean not null,
  ssl_expiry boolean not null,
  ssl_expiry_threshold integer not null,
  auto_subscribe boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index alert_channels_of_account on alert_channels (account_id, id);

create table subscriptions (
  id integer generated always as identity primary key,
  channel_id integer not null references alert_channels on delete cascade,
  check_no integer references checks (no) on delete cascade,
  group_id integer references check_groups on delete cascade,
  activated boolean not null,
  unique (check_no, channel_id),
  unique (group_id, channel_id),
  check ((check_no is null) <> (group_id is null))
);
create index subscriptions_of_channel on subscriptions (channel_id);

-- One row for each thing that will run next: a lane of a check (its rotation, or one of its parallel locations), or a
-- single run on demand (session_id set), which goes once it has ended.
create table schedule (
  id bigint generated always as identity,
  check_no integer not null references checks (no) on delete cascade,
  -- The location of the next attempt, and its place in the rotation.
  -- A location that is still in use here is not deleted: the check would never run again.
  location_no integer not null references locations deferrable initially deferred,
  rotation smallint not null default 0,
  parallel boolean not null,
  session_id uuid,
  -- What whoever asked for the run wants to be different: see db/demand.ts.
  demand jsonb,
  due_at timestamptz not null,
  -- The slot or demand that the present run answers, in milliseconds since 1970: shared by locations and attempts.
  check_run_id bigint,
  attempt smallint not null default 1,
  first_started_at timestamptz,
  -- Attempts of the present run that ended in trouble of our own.
  errors smallint not null default 0,
  -- How often a runner was lost with this run in hand.
  losses smallint not null default 0,
  -- The lease: null when nobody has the run in hand. It is also the id of the result to come.
  lease_id uuid,
  runner_id integer,
  leased_at timestamptz,
  -- The detail kept last for a passing run of this lane.
  kept_id uuid,
  kept_fingerprint text,
  -- The last final outcome of the lane, for judging parallel runs as one.
  last_check_run_id bigint,
  last_verdict text,
  -- One index for finding a row and for finding the rows of a check: every further one costs each run a write.
  primary key (check_no, id)
) with (fillfactor = 50);
create index schedule_due on schedule (location_no, due_at);

create table check_states (
  check_no integer primary key references checks (no) on delete cascade,
  has_failures boolean not null default false,
  has_errors boolean not null default false,
  is_degraded boolean not null default false,
  longest_run real,
  shortest_run real,
  last_location_no integer,
  last_check_run_id bigint,
  created_at timestamptz not null default now(),
  -- Null until the first result.
  updated_at timestamptz,
  -- The alert state machine; moved by final outcomes only.
  state text not null default 'passing',
  since timestamptz not null default now(),
  run_count integer not null default 0,
  notified_failure boolean not null default false,
  notified_degraded boolean not null default false
) with (fillfactor = 70);

-- Narrow rows, a partition a day. The id's time is the due time (UUID version 7), so it orders, pages and partitions.
create table check_results (
  id uuid not null,
  check_no integer not null,
  location_no integer not null,
  started_at timestamptz not null,
  check_run_id bigint not null,
  -- The result whose detail this one shares; its own id when it brought one; null when none was kept.
  detail_id uuid,
  recorded_after_ms integer not null,
  duration_ms real not null,
  response_time_ms real not null,
  wait_ms real,
  dns_ms real,
  tcp_ms real,
  first_byte_ms real,
  download_ms real,
  status_code smallint,
  attempt smallint not null,
  -- Verdict in the low bits, then flags; see result-row.ts. In the index too: lists filter by it.
  flags smallint not null,
  primary key (check_no, id) include (flags)
) partition by range (id);

create table result_details (
  id uuid not null,
  check_no integer not null,
  -- JSON, compressed.
  detail bytea not null,
  primary key (check_no, id)
) partition by range (id);

-- Slots that nobody ran: part of the promise that nothing is silent.
create table missed_runs (
  id bigint generated always as identity primary key,
  check_no integer not null references checks (no) on delete cascade,
  location_no integer not null,
  slot_at timestamptz not null,
  slots integer not null,
  reason text not null,
  recorded_at timestamptz not null default now()
);
create index missed_runs_of_check on missed_runs (check_no, slot_at desc);
create index missed_runs_by_time on missed_runs (recorded_at);

create table check_sessions (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  check_no integer not null references checks (no) on delete cascade,
  status text not null,
  started_at timestamptz not null default now(),
  stopped_at timestamptz,
  deadline_at timestamptz not null,
  locations integer[] not null
);
create index check_sessions_open on check_sessions (deadline_at) where stopped_at is null;
create index check_sessions_of_check on check_sessions (check_no);

create table session_results (
  session_id uuid not null references check_sessions on delete cascade,
  result_id uuid not null,
  location_no integer not null,
  result_type text not null,
  verdict text not null,
  primary key (session_id, result_id)
);

create table error_groups (
  id uuid primary key default gen_random_uuid(),
  check_no integer not null references checks (no) on delete cascade,
  error_hash text not null,
  raw_message text,
  cleaned_message text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  archived_until_next_event boolean not null default false,
  archived_for_ever boolean not null default false,
  unique (check_no, error_hash)
);

create table check_alerts (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts on delete cascade,
  check_no integer not null references checks (no) on delete cascade,
  alert_type text not null,
  location_no integer not null,
  result_id uuid not null,
  response_time_ms real not null,
  error text,
  status_code smallint,
  -- Why it was sent: the rule and its inputs.
  reason jsonb not null,
  started_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index check_alerts_of_account on check_alerts (account_id, created_at desc);
create index check_alerts_of_check on check_alerts (check_no, created_at desc);

-- The log of what was told to whom, and its own outbox.
create table notifications (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  check_alert_id bigint not null references check_alerts on delete cascade,
  check_no integer not null,
  check_id uuid not null,
  check_kind text not null,
  channel_id integer not null,
  channel_type text not null,
  config jsonb not null,
  -- The secrets of the channel as they were, still sealed for it; gone once no further try will need them.
  sealed text,
  message jsonb not null,
  result_id uuid not null,
  status text not null,
  tries smallint not null default 0,
  due_at timestamptz not null default now(),
  leased_until timestamptz,
  outcome text,
  tried_at timestamptz,
  created_at timestamptz not null default now()
);
create index notifications_waiting on notifications (due_at) where status = 'IN_PROGRESS';
create index notifications_of_alert on notifications (check_alert_id);
create index notifications_of_account on notifications (account_id, created_at desc);
-- Few at any time: looked for at every start.
create index notifications_sealed on notifications (id) where sealed is not null;

-- Periodic work, leased like everything else: whoever moves due_at forward does it.
create table tasks (
  name text primary key,
  due_at timestamptz not null default now()
);

-- What each server counted, minute by minute.
create table coverage (
  server_id uuid not null,
  minute timestamptz not null,
  done integer not null,
  in_error integer not null,
  -- Runs by lateness, in buckets; see lateness-histogram.ts.
  lateness integer[] not null,
  primary key (minute, server_id)
);

-- Who changed what. Only ever added to; partitions are not worth it for what people do by hand.
create table audit_log (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts on delete cascade,
  at timestamptz not null default now(),
  user_id uuid,
  key_id uuid,
  address text not null,
  -- Method and path of the operation.
  operation text not null,
  subject text not null,
  -- As a reader without write access would be shown it; secrets left out.
  before jsonb,
  after jsonb
);
create index audit_log_of_account on audit_log (account_id, id desc);
