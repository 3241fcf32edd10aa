-- Heartbeats are watched. What is waited for is stored, so that a restart neither loses nor invents a missed ping.

alter table heartbeats
  add column due_at timestamptz,
  add column deadline_at timestamptz,
  -- A job that has said that it began, and not how it ended.
  add column job_started_at timestamptz;

-- Timers that ran while nobody watched start anew.
update heartbeats h set timer_started_at = now(), due_at = now() + t.period, deadline_at = now() + t.period + t.grace
from (
  select no, ((r->>'period')::float8 * ('1 ' || (r->>'periodUnit'))::interval) as period,
    ((r->>'grace')::float8 * ('1 ' || (r->>'graceUnit'))::interval) as grace
  from (select no, settings->'heartbeat' as r from checks where kind = 'HEARTBEAT') rhythms
) t
where t.no = h.check_no and h.timer_started_at is not null;

create index heartbeats_deadline on heartbeats (deadline_at) where deadline_at is not null;

alter table heartbeat_events
  -- Why it failed; null for pings that tell of success.
  add column error text,
  -- What the job sent along.
  add column body text,
  add column exit_code smallint,
  add column duration_ms double precision;

-- When servers were last there to take pings: what fell due while nobody was is not blamed on the jobs.
create table heartbeat_watch (
  is_only boolean primary key default true check (is_only),
  seen_at timestamptz not null
);

-- What was not found by a run comes from nowhere.
alter table check_alerts alter column location_no drop not null;
