-- Subscribers of status pages are sent mail.

alter table status_page_subscriptions
  add column account_id uuid references accounts on delete cascade,
  -- Opens the links in mails. It is made with the first mail: its hash to find it by, and itself, encrypted, to write it again.
  add column token_hash bytea unique,
  add column sealed_token text,
  -- When the owner of the address was last asked whether they want it, and how often.
  add column asked_at timestamptz,
  add column asks integer not null default 0,
  -- Mails in a row that were refused for good, and what the mail server last said.
  add column refusals integer not null default 0,
  add column last_refusal text;
update status_page_subscriptions s set account_id = p.account_id from status_pages p where p.id = s.page_id;
alter table status_page_subscriptions alter column account_id set not null;
create index status_page_subscriptions_of_account on status_page_subscriptions (account_id);
create index status_page_subscriptions_pending on status_page_subscriptions (asked_at) where status = 'PENDING';

-- What is still to be sent. It goes when it was sent, given up, withdrawn or no longer wanted.
create table status_page_mails (
  -- Names the message: sent once more it is the same.
  id uuid primary key default gen_random_uuid(),
  subscription_id uuid not null references status_page_subscriptions on delete cascade,
  -- Null: the question whether the address wants mail.
  update_id uuid references status_page_incident_updates on delete cascade,
  -- Among those of the same update and page: pages take turns, so that a small one does not wait for a large one.
  place integer not null default 0,
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  leased_until timestamptz,
  created_at timestamptz not null default now()
);
create unique index status_page_mails_once on status_page_mails (subscription_id, update_id);
create unique index status_page_mails_one_question on status_page_mails (subscription_id) where update_id is null;
create index status_page_mails_of_update on status_page_mails (update_id);
create index status_page_mails_due on status_page_mails ((update_id is null), place, due_at);
