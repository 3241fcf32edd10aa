-- The order in which screens show checks. The name itself is in it, so that walking to a page reads the index alone.
create index checks_by_name on checks (account_id, effective_activated desc, lower(name) collate "C", no) include (name);
