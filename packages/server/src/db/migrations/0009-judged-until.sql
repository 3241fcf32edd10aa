-- When the newest run that a check was judged by had ended: what ended before and is recorded later is old news.
alter table check_states add column judged_until timestamptz;
