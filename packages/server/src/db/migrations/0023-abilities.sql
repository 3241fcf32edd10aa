-- What a runner says that it executes scripts with.
alter table runners
  add column runtimes jsonb not null default '[]',
  add column browser jsonb,
  add column records_video boolean not null default false,
  -- How busy it is with them; null: it has not said.
  add column script_load jsonb;

-- The runtime that a definition asks for which is tried once; null: its kind needs none.
alter table dry_runs add column runtime_id text;
