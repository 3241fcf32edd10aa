-- Who is on the trouble of a check. It is about the episode that began at `since`, and over with it: an older one says
-- nothing. Guarded by the lock of the check's state.
create table acknowledgements (
  check_no integer primary key references checks (no) on delete cascade,
  since timestamptz not null,
  at timestamptz not null,
  by_whom text not null,
  note text
);

-- Since when an alert of the check is held because of a check that it depends on. Few are, and they are looked at all the time.
alter table check_states add column held_since timestamptz;
create index check_states_held on check_states (check_no) where held_since is not null;

-- Whether anybody was told of the trouble of a check is asked often while others are held because of it.
create index alert_decisions_told on alert_decisions (check_no, at) where due and not muted;

-- Checks that depend on a given one. Most depend on none and are not in it.
create index checks_that_depend on checks using gin ((effective_settings -> 'dependsOn'))
  where effective_settings -> 'dependsOn' <> '[]';

update checks set settings = settings || '{"dependsOn": []}', effective_settings = effective_settings || '{"dependsOn": []}';
