-- What workers share. Every time is this server's. It has muids and ids, and no message texts, keys or names of people.

CREATE TABLE ferry.fleet (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Goes up whenever somebody has seen that this database lost commits: a restore, a failover.
  epoch      int NOT NULL DEFAULT 1,
  timeline   int NOT NULL,
  system_id  text NOT NULL,
  lost_at    timestamptz,
  place      int NOT NULL DEFAULT 0           -- greatest of a lease that began: see ferry.next_place
);
INSERT INTO ferry.fleet (timeline, system_id)
  SELECT ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int, s.system_identifier::text FROM pg_control_system() s;

-- One export, or one job, to one destination, in one checkpoint store.
CREATE TABLE ferry.unit (
  id          text PRIMARY KEY,               -- tenant/name
  tenant      text NOT NULL,
  config      jsonb NOT NULL,                 -- a job of chatferry.yaml without keys, and the folder that its paths are relative to
  address     text NOT NULL,                  -- normalised base address of its destination
  phase       text NOT NULL DEFAULT 'plan',   -- plan, send, done
  state       text NOT NULL,                  -- waiting, running, done, stopped (somebody has to decide), dead, paused
  due_at      timestamptz,
  epoch       int NOT NULL,                   -- of the fleet, when the unit or its last copy was made
  -- Keys of copies that were about to be made before any was saved: an object under one of these is a stray, not what lost commits knew.
  announced   text[] NOT NULL DEFAULT '{}',
  claim       uuid,                           -- of the worker that has it now
  worker      text,
  leases      int NOT NULL DEFAULT 0,         -- how many it had
  revision    int NOT NULL DEFAULT 0,         -- goes up whenever it is handed in with other settings
  failures    int NOT NULL DEFAULT 0,         -- leases in a row that failed
  totals      jsonb,                          -- after its last lease
  progress    jsonb,                          -- of the lease that runs: counts only
  quota       float8,                         -- requests a minute at its destination, where known
  exit        int,
  reason      text,                           -- why it is stopped or dead, in words without content
  changed_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX unit_tenant ON ferry.unit (tenant, id);

-- Copies of its store, the last three.
CREATE TABLE ferry.copy (
  unit     text NOT NULL,
  number   int NOT NULL,
  key      text NOT NULL,                     -- at the fleet's files
  sum      text NOT NULL,                     -- its SHA-256
  mark     bigint NOT NULL,                   -- greatest intent that it surely holds
  saved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  epoch    int NOT NULL,                      -- of the fleet: intents of another are not to be believed
  PRIMARY KEY (unit, number)
);

-- One request that was about to leave. Deleted once three copies hold it.
CREATE TABLE ferry.intent (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  unit     text NOT NULL,
  job      uuid NOT NULL,
  attempt  int NOT NULL,
  muids    text[] NOT NULL,                   -- of one request, in its order
  actions  bigint[] NOT NULL,                 -- or actions, as its store numbers them
  arrivals bigint[] NOT NULL,                 -- or people, groups and members, as its store numbers them
  left_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  arrived  jsonb                              -- muid to the service's id, once known; nobody waits for this write
);
CREATE INDEX intent_unit ON ferry.intent (unit, id);

-- The pace of one kind of request at one address.
CREATE TABLE ferry.slot (
  key         text PRIMARY KEY,
  learned     float8,                         -- requests a minute, as the service says
  next_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  held_until  timestamptz NOT NULL DEFAULT '-infinity',
  taken       bigint NOT NULL DEFAULT 0
);

-- Leases of a unit, the last 200.
CREATE TABLE ferry.lease (
  unit     text NOT NULL,
  number   int NOT NULL,
  job      uuid NOT NULL,
  attempt  int NOT NULL,
  worker   text NOT NULL,
  began    timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended    timestamptz,
  exit     int,
  result   jsonb,
  PRIMARY KEY (unit, number)
);

-- Conversations of a destination, as digests, that units send to: each is one unit's at a time.
CREATE TABLE ferry.lane (
  address  text NOT NULL,
  lane     text NOT NULL,
  unit     text NOT NULL,
  claim    uuid,                              -- of the lease that has it
  free_at  timestamptz,                       -- from when on others may send; null while this one does
  PRIMARY KEY (address, lane)
);

CREATE TABLE ferry.worker (
  id       text PRIMARY KEY,
  host     text NOT NULL,
  version  text NOT NULL,
  began    timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen     timestamptz NOT NULL DEFAULT clock_timestamp(),
  leases   int NOT NULL,                      -- that it may have at a time
  running  int NOT NULL DEFAULT 0
);

-- The next evenly spaced slot, 1 % further apart than the rate asks for, and spare_ms further from the one behind it: so much later than usual
-- the request may leave. @returns ms to wait; less than nothing is never.
-- Lost in a crash of this server is at most a slot whose request never left: `leave` is flushed behind it.
CREATE FUNCTION ferry.take_slot(key_ text, per_minute float8, spare_ms float8 DEFAULT 0) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  s ferry.slot;
  rate float8;
  now_ timestamptz;
  at_ timestamptz;
BEGIN
  SET LOCAL synchronous_commit = off;
  INSERT INTO ferry.slot (key) VALUES (key_) ON CONFLICT DO NOTHING;
  SELECT * INTO s FROM ferry.slot WHERE key = key_ FOR UPDATE;
  rate := coalesce(per_minute, s.learned);
  now_ := clock_timestamp();
  at_ := greatest(s.held_until, now_);
  IF rate IS NOT NULL THEN at_ := greatest(at_, s.next_at); END IF;
  UPDATE ferry.slot SET taken = taken + 1,
    next_at = CASE WHEN rate IS NULL THEN next_at ELSE at_ + make_interval(secs => 60.6 / rate + spare_ms / 1000) END WHERE key = key_;
  RETURN extract(epoch FROM at_ - now_) * 1000;
END $$;

-- The service asked for silence. @returns for how many ms more nothing may leave.
CREATE FUNCTION ferry.hold_slot(key_ text, ms float8) RETURNS float8 LANGUAGE sql AS $$
  INSERT INTO ferry.slot (key, held_until) VALUES (key_, clock_timestamp() + ms * interval '1 ms')
  ON CONFLICT (key) DO UPDATE SET held_until = greatest(ferry.slot.held_until, excluded.held_until)
  RETURNING greatest(0, extract(epoch FROM held_until - clock_timestamp()) * 1000) $$;

-- The place of a tenant's next lease among those of all: behind its own that wait or run, and not before what others have reached. So tenants
-- alternate, however many units each has, and none is overtaken permanently (start-time fair queueing, Goyal et al. 1996).
CREATE FUNCTION ferry.next_place(tenant_ text) RETURNS int LANGUAGE sql AS $$
  SELECT greatest(f.place, (SELECT max(-j.priority) + 1 FROM pgboss.job j JOIN ferry.unit u ON u.id = j.singleton_key
    WHERE j.name = 'ferry.lease' AND j.state < 'completed' AND j.priority > -1073741824 AND u.tenant = tenant_)) FROM ferry.fleet f $$;

-- Leases that were sent for later are behind all others (2^30) until they are due; then those of each tenant follow each other as if they had just been sent.
CREATE FUNCTION ferry.place_due() RETURNS void LANGUAGE sql AS $$
  WITH due AS (
    SELECT id, singleton_key, start_after FROM pgboss.job
    WHERE name = 'ferry.lease' AND state < 'active' AND priority = -1073741824 AND start_after <= now() FOR UPDATE SKIP LOCKED
  ), placed AS (
    SELECT due.id, row_number() OVER (PARTITION BY u.tenant ORDER BY due.start_after, due.id) - 1 + first.place AS place
    FROM due JOIN ferry.unit u ON u.id = due.singleton_key
      JOIN (SELECT tenant, ferry.next_place(tenant) AS place FROM ferry.unit WHERE id IN (SELECT singleton_key FROM due) GROUP BY tenant) first ON first.tenant = u.tenant
  )
  UPDATE pgboss.job j SET priority = -placed.place::int FROM placed WHERE j.name = 'ferry.lease' AND j.id = placed.id $$;

-- Whether the conversation is the unit's from now on: no other unit sends to it, and what one has sent can be seen. A unit without a
-- worker keeps it for the grace period of a kill. A caller that has lost the unit gets nothing. What is lost in a crash of this server is of no request that left: `leave`
-- is flushed behind it.
CREATE FUNCTION ferry.take_lane(address_ text, lane_ text, unit_ text, claim_ uuid, grace_ms float8) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  l ferry.lane;
BEGIN
  SET LOCAL synchronous_commit = off;
  PERFORM 1 FROM ferry.unit WHERE id = unit_ AND claim = claim_ FOR SHARE;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO ferry.lane (address, lane, unit, claim) VALUES (address_, lane_, unit_, claim_) ON CONFLICT DO NOTHING;
  IF FOUND THEN RETURN true; END IF;
  SELECT * INTO l FROM ferry.lane WHERE address = address_ AND lane = lane_ FOR UPDATE;
  -- Swept since.
  IF NOT FOUND THEN RETURN false; END IF;
  IF l.unit <> unit_ AND l.free_at IS NULL THEN
    IF NOT EXISTS (SELECT FROM ferry.unit WHERE id = l.unit AND claim IS NOT NULL) THEN
      UPDATE ferry.lane SET free_at = clock_timestamp() + grace_ms * interval '1 ms' WHERE address = address_ AND lane = lane_;
    END IF;
    RETURN false;
  END IF;
  IF l.unit <> unit_ AND l.free_at > clock_timestamp() THEN RETURN false; END IF;
  UPDATE ferry.lane SET unit = unit_, claim = claim_, free_at = NULL WHERE address = address_ AND lane = lane_;
  RETURN true;
END $$;

-- Whether the caller still has the job, and for how many ms at least. Locked until the end of the transaction: no other worker takes it over.
CREATE FUNCTION ferry.holds(job_ uuid, attempt_ int, unit_ text, claim_ uuid) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  left_ float8;
BEGIN
  SELECT extract(epoch FROM heartbeat_on + heartbeat_seconds * interval '1 s' - clock_timestamp()) * 1000 INTO left_
    FROM pgboss.job WHERE name = 'ferry.lease' AND id = job_ AND state = 'active' AND retry_count = attempt_ FOR SHARE;
  IF left_ IS NULL THEN RETURN NULL; END IF;
  PERFORM 1 FROM ferry.unit WHERE id = unit_ AND claim = claim_ FOR SHARE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  RETURN left_;
END $$;

-- The request may leave if this answers a row: its intent, and within how many ms of having been asked. Otherwise nothing was written.
CREATE FUNCTION ferry.leave(job_ uuid, attempt_ int, unit_ text, claim_ uuid, muids_ text[], actions_ bigint[],
  arrivals_ bigint[])
  RETURNS TABLE (intent bigint, within_ms float8) LANGUAGE plpgsql AS $$
DECLARE
  left_ float8 := ferry.holds(job_, attempt_, unit_, claim_);
BEGIN
  IF left_ IS NULL OR left_ < 1000 THEN RETURN; END IF;
  RETURN QUERY INSERT INTO ferry.intent (unit, job, attempt, muids, actions, arrivals)
    VALUES (unit_, job_, attempt_, muids_, actions_, arrivals_) RETURNING id, least(left_, 1000)::float8;
END $$;

-- A copy of the store is the one to go on from. @returns keys of copies that nobody needs any more; null where the caller has lost the unit: then
-- nothing was changed.
CREATE FUNCTION ferry.save(job_ uuid, attempt_ int, unit_ text, claim_ uuid, key_ text, sum_ text, number_ int, mark_ bigint)
  RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  old_ text[];
BEGIN
  IF ferry.holds(job_, attempt_, unit_, claim_) IS NULL THEN RETURN NULL; END IF;
  INSERT INTO ferry.copy (unit, number, key, sum, mark, epoch) SELECT unit_, number_, key_, sum_, mark_, epoch FROM ferry.fleet;
  WITH gone AS (DELETE FROM ferry.copy WHERE unit = unit_ AND number <= number_ - 3 RETURNING key)
    SELECT coalesce(array_agg(key), '{}') INTO old_ FROM gone;
  IF (SELECT count(*) FROM ferry.copy WHERE unit = unit_) = 3 THEN
    DELETE FROM ferry.intent WHERE unit = unit_ AND id <= (SELECT min(mark) FROM ferry.copy WHERE unit = unit_);
  END IF;
  UPDATE ferry.unit SET epoch = (SELECT epoch FROM ferry.fleet), changed_at = clock_timestamp() WHERE id = unit_;
  RETURN old_;
END $$;
