-- What reaches a check from outside: pings of heartbeats, and URLs that run a check or a group.

create table heartbeats (
  check_no integer primary key references checks (no) on delete cascade,
  token uuid not null unique,
  -- Null until the first ping: before it there is nothing to wait for.
  timer_started_at timestamptz,
  last_ping_at timestamptz
);

create table heartbeat_events (
  id uuid primary key default gen_random_uuid(),
  check_no integer not null references checks (no) on delete cascade,
  state text not null,
  at timestamptz not null,
  source text,
  user_agent text
);
create index heartbeat_events_of_check on heartbeat_events (check_no, at desc);

create table triggers (
  id integer generated always as identity primary key,
  account_id uuid not null references accounts on delete cascade,
  check_no integer unique references checks (no) on delete cascade,
  group_id integer unique references check_groups on delete cascade,
  token text not null,
  created_at timestamptz not null default now(),
  called_at timestamptz,
  updated_at timestamptz,
  check ((check_no is null) <> (group_id is null))
);
