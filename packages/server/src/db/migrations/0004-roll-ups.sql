-- Roll-ups of results: an answer about a month is put together from days instead of from every result.

-- A row for each check and location that ran: results by outcome and status, with sketches of their times. The main
-- time is kept apart from the others, because it is read far more often. A partition a month.
create table roll_ups_hour (
  check_no integer not null,
  starts_at timestamptz not null,
  location_no integer not null,
  main bytea not null,
  others bytea not null,
  primary key (check_no, starts_at, location_no)
) partition by range (starts_at);
create table roll_ups_day (like roll_ups_hour including all) partition by range (starts_at);

-- One row: everything due before is rolled up.
create table roll_up_progress (
  is_only boolean primary key default true check (is_only),
  rolled_up_to timestamptz not null
);

-- Tokens with which a collector fetches metrics, and nothing else.
create table metrics_tokens (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  key_hash bytea not null unique,
  name text not null,
  last_characters text not null,
  created_at timestamptz not null default now()
);
create index metrics_tokens_of_account on metrics_tokens (account_id, created_at);
