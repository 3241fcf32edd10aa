-- What an account configures besides checks and channels. Columns called sealed_… hold encrypted values: see secrets/.

create table variables (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  key text not null,
  -- Exactly one of the two: a locked or secret value is never stored in the clear.
  value text,
  sealed_value text,
  locked boolean not null,
  secret boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  unique (account_id, key),
  check ((value is null) <> (sealed_value is null)),
  check (sealed_value is not null or not (locked or secret))
);

create table snippets (
  id integer generated always as identity primary key,
  account_id uuid not null references accounts on delete cascade,
  -- The name of its file beside a script.
  name text not null,
  script text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  unique (account_id, name)
);

create table client_certificates (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  host text not null,
  cert text not null,
  ca text,
  sealed_key text not null,
  sealed_passphrase text,
  created_at timestamptz not null default now()
);
create index client_certificates_of_account on client_certificates (account_id, created_at, id);

create table maintenance_windows (
  id integer generated always as identity primary key,
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  description text,
  tags text[] not null,
  pause_all_checks boolean not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  repeat_unit text,
  repeat_interval integer,
  repeat_ends_at timestamptz,
  timezone text,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index maintenance_windows_of_account on maintenance_windows (account_id, id);

-- The present or next stretch of time in which maintenance keeps the check from running by itself. Kept in step with
-- the windows, so that whoever hands out runs need not work out when they recur.
alter table checks add column paused_from timestamptz, add column paused_until timestamptz;
create index checks_paused on checks (no) where paused_until is not null;

-- How many runs waited at a private location, minute by minute, and for how long the oldest of them had.
create table location_samples (
  location_no integer not null references locations on delete cascade,
  at timestamptz not null,
  queue_size integer not null,
  oldest_seconds real not null,
  primary key (location_no, at)
);
