-- Who has shown a key of a private dashboard gets a cookie that is derived from it. The cookie opens the dashboard for as
-- long as there is the key, and tells nothing of the key. Null for older keys until they are shown.
alter table dashboard_keys add column visit_hash bytea;
