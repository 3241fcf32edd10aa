-- Who is on the trouble of a check. It is about the episode that began at `since`, and over with it: an older one says
-- nothing. Guarded by the lock of the check's state.
create table acknowledgements (
  check_no integer primary key references checks (no) on delete cascade,
  since timestamptz not null,
  at timestamptz not null,
  by_whom text not null,
  note text
);

-- An alert of the check is held because of a check that it depends on.
alter table check_states add column held boolean not null default false;

-- Checks that depend on a given one. Most depend on none and are not in it.
create index checks_that_depend on checks using gin ((effective_settings -> 'dependsOn'))
  where effective_settings -> 'dependsOn' <> '[]';

update checks set settings = settings || '{"dependsOn": []}', effective_settings = effective_settings || '{"dependsOn": []}';
