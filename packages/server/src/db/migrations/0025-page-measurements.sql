-- What is measured of the pages that browser checks open.

-- A row for each page of a run, dropped with its result; null: the page did not tell.
create table page_measurements (
  -- Of the result.
  id uuid not null,
  check_no integer not null,
  -- From 0, in the order in which they were opened.
  page_index smallint not null,
  -- Without its query.
  url text not null,
  ttfb real,
  fcp real,
  lcp real,
  cls real,
  tbt real,
  primary key (check_no, id, page_index)
) partition by range (id);

-- Roll-ups of pages stand beside those of whole runs, which are page 0; the first page is 1. The address is that of the
-- newest page in it, of whole runs that of their first page.
alter table roll_ups_hour add column page smallint not null default 0, add column url text,
  drop constraint roll_ups_hour_pkey, add primary key (check_no, starts_at, location_no, page);
alter table roll_ups_day add column page smallint not null default 0, add column url text,
  drop constraint roll_ups_day_pkey, add primary key (check_no, starts_at, location_no, page);
