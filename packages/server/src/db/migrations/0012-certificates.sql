-- What runs saw of the certificates of their checks' hosts, renewed once an hour and when it changes.
create table check_certificates (
  check_no integer primary key references checks (no) on delete cascade,
  host text not null,
  fingerprint text not null,
  expires_at timestamptz not null,
  seen_at timestamptz not null
);

-- On which day it was told last that a certificate expires soon: once a day is enough.
create table certificate_alerts (
  check_no integer not null references checks (no) on delete cascade,
  fingerprint text not null,
  alerted_on date not null,
  primary key (check_no, fingerprint)
);
