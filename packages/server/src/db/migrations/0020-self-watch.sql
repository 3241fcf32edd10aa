-- What the monitor has found out about itself, carried from look to look by whichever server looks.
create table self_watch (
  is_only boolean primary key default true check (is_only),
  -- Kept when the check is deleted: whoever does not want it is not given it again.
  check_id uuid,
  watch jsonb not null,
  dead_man jsonb not null default '{}'
);

-- How far the clock of a runner was ahead of the database's at its last heartbeat.
alter table runners add column clock_ahead_ms integer;

-- Since when it has been expected to run, as far as settings go.
alter table checks add column active_since timestamptz not null default now();
