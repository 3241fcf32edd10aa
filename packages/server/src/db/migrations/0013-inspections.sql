-- Certificates that are looked at for checks whose own runs do not see them, each when it is due.
create table certificate_inspections (
  check_no integer primary key references checks (no) on delete cascade,
  host text not null,
  due_at timestamptz not null default now(),
  -- Since the last one that brought a certificate.
  tries integer not null default 0
);
create index certificate_inspections_due on certificate_inspections (due_at);

insert into certificate_inspections (check_no, host)
select no, lower(effective_settings ->> 'sslCheckDomain') from checks
where kind = 'BROWSER' and effective_activated and effective_settings ->> 'sslCheckDomain' <> ''
  and effective_settings ->> 'sslCheckDomain' not like '%{{%';

-- A run that is not kept may be such an inspection, one at a time for a check. Not a reference: whoever removes the check
-- need not wait for it.
alter table dry_runs add column inspects integer unique;
