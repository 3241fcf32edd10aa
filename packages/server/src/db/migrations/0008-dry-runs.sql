-- Definitions that are run once and explained. A row lives while somebody waits for its answer, minutes at most; nothing
-- of it is worth keeping through a crash.
create unlogged table dry_runs (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  location_no integer not null references locations on delete cascade,
  kind text not null,
  -- Of the check that it starts from, or of none.
  check_id uuid not null,
  -- Whose variables and scripts it runs with.
  group_id integer,
  -- The name and the settings in force.
  sealed text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  lease_id uuid unique,
  runner_id integer,
  leased_at timestamptz,
  -- As text: whatever a runner reports can be written down.
  report text
);
