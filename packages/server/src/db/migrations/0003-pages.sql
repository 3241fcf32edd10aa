-- What the public is shown: dashboards and status pages, and what is told on them.

create table dashboards (
  id integer generated always as identity primary key,
  account_id uuid not null references accounts on delete cascade,
  dashboard_id text not null unique,
  -- In lower case, like all names of hosts.
  custom_url text not null unique,
  custom_domain text unique,
  settings jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index dashboards_of_account on dashboards (account_id, id);

create table dashboard_keys (
  id uuid primary key default gen_random_uuid(),
  dashboard_id integer not null references dashboards on delete cascade,
  key_hash bytea not null unique,
  last_characters text not null,
  created_at timestamptz not null default now()
);
create index dashboard_keys_of_dashboard on dashboard_keys (dashboard_id);

create table dashboard_incidents (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  dashboard_id integer not null references dashboards on delete cascade,
  name text not null,
  impact text not null,
  started_at timestamptz,
  stopped_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index dashboard_incidents_of_account on dashboard_incidents (account_id, created_at desc, id);
create index dashboard_incidents_of_dashboard on dashboard_incidents (dashboard_id);

create table dashboard_incident_updates (
  -- Orders updates of the same instant.
  no bigint generated always as identity,
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references dashboard_incidents on delete cascade,
  status text not null,
  description text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index dashboard_incident_updates_of_incident on dashboard_incident_updates (incident_id, no);

create table status_page_services (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index status_page_services_of_account on status_page_services (account_id, created_at, id);

create table status_pages (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  url text not null unique,
  custom_domain text unique,
  settings jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index status_pages_of_account on status_pages (account_id, created_at, id);

create table status_page_cards (
  id uuid primary key default gen_random_uuid(),
  page_id uuid not null references status_pages on delete cascade,
  place integer not null,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index status_page_cards_of_page on status_page_cards (page_id, place);

create table status_page_card_services (
  card_id uuid not null references status_page_cards on delete cascade,
  service_id uuid not null references status_page_services on delete cascade,
  place integer not null,
  primary key (card_id, service_id)
);
create index status_page_card_services_of_service on status_page_card_services (service_id);

create table status_page_incidents (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  severity text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index status_page_incidents_of_account on status_page_incidents (account_id, created_at, id);

create table status_page_incident_services (
  incident_id uuid not null references status_page_incidents on delete cascade,
  service_id uuid not null references status_page_services on delete cascade,
  place integer not null,
  primary key (incident_id, service_id)
);
create index status_page_incident_services_of_service on status_page_incident_services (service_id);

create table status_page_incident_updates (
  no bigint generated always as identity,
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references status_page_incidents on delete cascade,
  status text not null,
  description text not null,
  notify_subscribers boolean not null,
  -- When it happened, as the public is told; the latest one rules.
  public_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index status_page_incident_updates_of_incident on status_page_incident_updates (incident_id, public_at, no);

create table status_page_subscriptions (
  id uuid primary key default gen_random_uuid(),
  page_id uuid not null references status_pages on delete cascade,
  address text not null,
  status text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
-- Nobody hears twice of the same thing because of upper case.
create unique index status_page_subscriptions_once on status_page_subscriptions (page_id, lower(address));
