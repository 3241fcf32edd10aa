-- Incidents that a check has opened by itself. It has one open at a time; once it is gone, people close what is left.
alter table status_page_incidents add column check_no integer references checks (no) on delete set null;
create index status_page_incidents_of_check on status_page_incidents (check_no) where check_no is not null;
