-- Files that runs left, which are in a store of their own. A row is written before its file and goes after it, so that no
-- crash leaves a file that nobody knows of. It outlives its check until the file is gone.
create table result_assets (
  id bigint generated always as identity primary key,
  account_id uuid not null,
  check_no integer not null,
  -- The lease, while the run is not reported yet.
  result_id uuid not null,
  location_no integer not null,
  check_run_id bigint not null,
  attempt smallint not null,
  -- In its result, and in its address.
  name text not null,
  file_name text not null,
  type text not null,
  content_type text not null,
  size bigint not null,
  store_key text not null,
  -- Null: it is on its way to the store, or never got there.
  stored_at timestamptz,
  -- Null: its result has not been found yet.
  passed boolean,
  created_at timestamptz not null default now(),
  unique (check_no, result_id, name)
);
create index result_assets_by_address on result_assets (check_no, check_run_id, file_name);
create index result_assets_by_worth on result_assets (passed, created_at);
create unique index result_assets_by_key on result_assets (store_key);
