-- The order of what is told, limits for channels with digests, and fallbacks.

alter table alert_channels
  -- Gets what this one cannot deliver.
  add column fallback_channel_id integer references alert_channels on delete set null;
create index alert_channels_by_fallback on alert_channels (fallback_channel_id) where fallback_channel_id is not null;

alter table notifications
  -- In the order in which they were decided: those of one check are written under the lock of its state.
  add column seq bigint generated always as identity,
  -- When the first try began.
  add column handed_at timestamptz,
  -- When the news that it tells was decided: lateness counts from here.
  add column decided_at timestamptz not null default now(),
  -- Of what was held back: the digest that tells of it.
  add column digest_id uuid references notifications on delete set null,
  -- Of a digest: the checks of which it tells.
  add column carries integer[],
  -- In whose place it is, and the channel that should have carried that.
  add column fallback_of uuid,
  add column fallback_for integer,
  -- A digest is about no single alert and no single check.
  alter column check_alert_id drop not null,
  alter column check_no drop not null;

-- What waits already says what messages say since.
update notifications
set message = message || '{"IS_DIGEST": false, "DIGEST_COUNT": 0, "DIGEST_LIST": [], "FALLBACK_FOR": "", "DELIVERY_NOTE": ""}'
where status = 'IN_PROGRESS';

-- What waits, in the order in which it goes.
create index notifications_line on notifications (channel_id, check_no, seq) where status = 'IN_PROGRESS';
-- What a channel was told of a check.
create index notifications_of_check on notifications (channel_id, check_no, seq);
create index notifications_handed on notifications (handed_at) where handed_at is not null;
create index notifications_digests on notifications (channel_id, created_at) where carries is not null;
create index notifications_of_digest on notifications (digest_id) where digest_id is not null;
