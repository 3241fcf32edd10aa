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

create index status_page_subscriptions_verified on status_page_subscriptions (page_id, id) where status = 'VERIFIED';

-- Updates that the readers of a page are to be told: one row, however many they are. When it is due, the mails are written
-- in portions; it goes with the last of them.
create table status_page_news (
  update_id uuid not null references status_page_incident_updates on delete cascade,
  page_id uuid not null references status_pages on delete cascade,
  due_at timestamptz not null,
  -- The last reader whose mail was written, and how many there were.
  reader_id uuid,
  place integer not null default 0,
  primary key (update_id, page_id)
);
create index status_page_news_of_page on status_page_news (page_id, due_at);

-- What is still to be sent. It goes when it was sent, given up, withdrawn or no longer wanted.
create table status_page_mails (
  -- Names the message: sent once more it is the same.
  id uuid primary key default gen_random_uuid(),
  subscription_id uuid not null references status_page_subscriptions on delete cascade,
  -- Null: the question whether the address wants mail.
  update_id uuid references status_page_incident_updates on delete cascade,
  -- When the news was due. What one reader is told is in this order, and of the same moment in the order in which it was written.
  news_at timestamptz not null default now(),
  no bigint generated always as identity,
  -- When it would be sent if this update and page were all there is: a small page does not wait for a large one, nor late
  -- readers of an update for the next one.
  turn_at timestamptz not null default now(),
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  leased_until timestamptz,
  created_at timestamptz not null default now()
);
create unique index status_page_mails_once on status_page_mails (subscription_id, update_id);
create unique index status_page_mails_one_question on status_page_mails (subscription_id) where update_id is null;
create index status_page_mails_of_update on status_page_mails (update_id);
create index status_page_mails_of_reader on status_page_mails (subscription_id, news_at, no);
create index status_page_mails_questions on status_page_mails (turn_at, due_at) where update_id is null;
create index status_page_mails_news on status_page_mails (turn_at, due_at) where update_id is not null;
