-- Several accounts with members, invitations and keys of their own; answers kept for requests that are repeated.

alter table accounts
  add column settings jsonb not null default '{}';

alter table users
  add column email text;

alter table memberships
  add column created_at timestamptz not null default now(),
  add column updated_at timestamptz;

alter table api_keys
  add column last_used_at timestamptz;
create index api_keys_of_user on api_keys (user_id) where user_id is not null;
create index api_keys_of_account on api_keys (account_id) where account_id is not null;

-- The account that the person looks at; null: the first of theirs.
alter table web_sessions
  add column account_id uuid references accounts on delete set null;
create index web_sessions_of_user on web_sessions (user_id);

-- A row goes when somebody uses it.
create table invitations (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  token_hash bytea not null unique,
  role text not null,
  -- A word about who is meant; nothing is sent there.
  email text,
  invited_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index invitations_of_account on invitations (account_id);

-- Requests that may be repeated. Everything in a row is derived from the client's own secrets: it tells nothing by itself.
create table idempotency_keys (
  account_id uuid not null references accounts on delete cascade,
  key_hash bytea not null,
  request_hash bytea not null,
  -- Whoever carries the request out; another one after a crash.
  claim uuid not null,
  claimed_at timestamptz not null default now(),
  -- Set in the transaction that makes the change, with what was changed.
  done boolean not null default false,
  subject text,
  status smallint,
  -- Encrypted with a key that only the client's next try brings along.
  answer bytea,
  created_at timestamptz not null default now(),
  primary key (account_id, key_hash)
);
create index idempotency_keys_by_time on idempotency_keys (created_at);

-- The name by which the key or person went; it may be gone when somebody reads the log.
alter table audit_log
  add column actor_name text;
drop index audit_log_of_account;
create index audit_log_by_time on audit_log (account_id, at desc, id desc);
