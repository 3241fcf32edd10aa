-- Why people were told, or were not. What passes while all is well decides nothing and is not here.
create table alert_decisions (
  id bigint generated always as identity primary key,
  check_no integer not null references checks (no) on delete cascade,
  -- The end of the run, or whatever else was decided upon.
  at timestamptz not null,
  check_run_id bigint,
  result_id uuid,
  from_state text,
  to_state text,
  alert_type text not null,
  rule text not null,
  -- What the rule saw.
  inputs jsonb not null,
  due boolean not null,
  muted boolean not null,
  alert_id bigint,
  -- Of every subscription, where it was due: the reason for which it was not told, or null.
  channels jsonb not null,
  decided_at timestamptz not null default now()
);
create index alert_decisions_of_check on alert_decisions (check_no, at desc, id desc);
create index alert_decisions_by_age on alert_decisions using brin (at);
-- Maintenance of a check is noted once, whoever sees it begin.
create unique index alert_decisions_of_maintenance on alert_decisions (check_no, at) where rule = 'in-maintenance';

-- What waits for its time while a check is in trouble. Guarded by the lock of the check's state.
create table alert_reminders (
  check_no integer primary key references checks (no) on delete cascade,
  -- The news of which people are reminded.
  alert_id bigint not null references check_alerts on delete cascade,
  due_at timestamptz not null,
  sent integer not null default 0
);
create index alert_reminders_due on alert_reminders (due_at);
create index alert_reminders_of_alert on alert_reminders (alert_id);
