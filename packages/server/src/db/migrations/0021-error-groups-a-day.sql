-- How often each group of errors was seen on each day, by UTC.
create table error_group_days (
  group_id uuid not null references error_groups on delete cascade,
  day date not null,
  seen integer not null,
  primary key (group_id, day)
);
create index error_group_days_by_age on error_group_days using brin (day);
