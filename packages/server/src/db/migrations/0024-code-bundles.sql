-- Uploaded projects of suites. The bytes are kept elsewhere; the path that checks name follows from the hash.
create table code_bundles (
  account_id uuid not null references accounts on delete cascade,
  sha256 text not null,
  size integer not null,
  files integer not null,
  created_at timestamptz not null default now(),
  -- Moved on while a check uses it.
  last_used_at timestamptz not null default now(),
  primary key (account_id, sha256)
);
create index code_bundles_last_used on code_bundles (last_used_at);
