-- A second opinion before a first failure counts. The place whose failure is in question while another is asked.
alter table schedule add column opinion_on integer;
-- Places whose last failure was contradicted, and that have not seen the target well since.
alter table schedule add column contradicted integer[];

-- What the runner asks about its own network and name server.
alter table runners add column controls text[] not null default '{}';
-- Set while its controls do not answer: what it finds blames nobody.
alter table runners add column quarantined_at timestamptz;
alter table runners add column quarantine_reason text;
-- Heartbeats in a row that spoke against the present state.
alter table runners add column contrary_beats smallint not null default 0;
-- How it keeps scripts apart from its machine; null until it has found that out.
alter table runners add column isolation jsonb;
