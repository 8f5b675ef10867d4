-- Everything that a checkpoint store remembers. Times are epoch milliseconds. Any SQLite tool may look.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
  id             INTEGER PRIMARY KEY,
  command        TEXT NOT NULL,
  started_at     INTEGER NOT NULL,
  ended_at       INTEGER,
  exit           INTEGER,
  host           TEXT NOT NULL,
  pid            INTEGER NOT NULL,
  destination    INTEGER REFERENCES destination (id),
  profile        TEXT,
  requests       TEXT,               -- JSON: import, list, retried, rateLimited
  verify         TEXT,               -- JSON: same, missing, extra, different, duplicated, foreign
  stopped        TEXT                -- JSON: code, message, hint
) STRICT;

CREATE TABLE source_input (
  id          INTEGER PRIMARY KEY,
  path        TEXT NOT NULL UNIQUE,  -- absolute path of the folder or archive
  source      TEXT,                  -- where it is not that of the store: corrected rows are records of our own
  listing     TEXT                   -- when a plan had read all of it: one digest of its names, sizes and times, or an archive's directory
) STRICT;

CREATE TABLE source_file (
  id          INTEGER PRIMARY KEY,
  input       INTEGER NOT NULL REFERENCES source_input (id),
  path        TEXT NOT NULL,         -- inside it; once for each input
  role        TEXT NOT NULL,         -- shared, rows, skipped, unknown
  reason      TEXT,                  -- why it was left out
  fingerprint TEXT NOT NULL,
  size_bytes  INTEGER NOT NULL
) STRICT;

CREATE TABLE person (
  id             INTEGER PRIMARY KEY,
  source_id      TEXT NOT NULL UNIQUE,
  uid            TEXT NOT NULL,
  name           TEXT NOT NULL,
  details        TEXT NOT NULL,      -- JSON in the service's shape: uid, name, avatar, createdAt
  record         TEXT NOT NULL,      -- JSON of the model's user
  is_placeholder INTEGER NOT NULL,   -- 1: no file of the export describes this person
  has_hash       INTEGER             -- 1: a hash of the id ends the uid, others have it too; 0: a plan was made with the uid as it is; NULL: neither yet
) STRICT;

CREATE INDEX person_uid ON person (uid);

CREATE TABLE conversation (
  id             INTEGER PRIMARY KEY,
  source_id      TEXT NOT NULL UNIQUE,
  type           TEXT NOT NULL,      -- direct, group-direct, private, public
  name           TEXT NOT NULL,
  receiver_type  TEXT NOT NULL,      -- user, group
  guid           TEXT NOT NULL,      -- also kept for direct conversations: they become groups when a third writes
  person_a       INTEGER REFERENCES person (id),   -- the two of a direct conversation
  person_b       INTEGER REFERENCES person (id),
  details        TEXT NOT NULL,      -- JSON in the service's shape: guid, name, type, ...
  record         TEXT NOT NULL,
  is_placeholder INTEGER NOT NULL,
  priority       INTEGER NOT NULL DEFAULT 0        -- the greatest is sent first
) STRICT;

-- Checks at the end of a plan ask about few of a million.
CREATE INDEX conversation_direct ON conversation (id) WHERE person_a IS NOT NULL;

CREATE INDEX conversation_described ON conversation (id) WHERE is_placeholder = 0;

CREATE TABLE message (
  seq           INTEGER PRIMARY KEY, -- reading order
  muid          TEXT,                -- absent where a row was too broken to have an identity
  conversation  INTEGER,
  sender        INTEGER,
  origin_id     TEXT,
  sent_at       INTEGER,
  sort_key      TEXT,
  edited_at     INTEGER,
  record_digest TEXT,
  verdict       TEXT NOT NULL,       -- planned, skipped, invalid, duplicate
  reason        TEXT,                -- rule or code
  detail        TEXT,
  root_muid     TEXT,                -- of the message whose thread this one answers in
  facts         TEXT,                -- JSON: contents of the record, counted: reactions, attachments, replies ...
  file          INTEGER NOT NULL,
  place         TEXT NOT NULL,       -- line or JSON pointer inside the file
  stale         INTEGER NOT NULL DEFAULT 0,  -- while a file is read again: not met yet
  vanished      INTEGER NOT NULL DEFAULT 0,  -- its file no longer holds it, and something was sent for it
  part          INTEGER,             -- from 1, if a text was split: the row of part 1 counts; the muids of the others begin with its 27 characters
  -- A follow-up: a message about how an earlier one (its `seq`) changed at the source. It is a further part (`part` 2), so that nothing
  -- counts it as a row of the export. It is sent only where it has a delivery: of batch 0 until something of it was sent.
  follows       INTEGER,
  reactions     TEXT,                -- JSON, if reactions are replayed: [["+1",[3,7]], ...]; the numbers are people
  -- Files of the message in the export itself, JSON: {"text": the text if they are attached, absent if it is the same,
  -- "files": [{"at": position among the files of the record, "path": inside the export, "name", "mimeType", "size": bytes as text}]}.
  files         TEXT,
  version       TEXT,                -- grows with later states of a message (model/record-digest.ts): of several versions the latest counts
  -- Last, so that counting does not have to step over it. JSON: what goes into the request besides muid, sender, receiver, times and
  -- people's details. Without what texts have in common, and our key: store/base/packed-payload.ts.
  payload       TEXT
) STRICT;

CREATE INDEX message_part ON message (substr(muid, 1, 27)) WHERE part > 1;

-- The places of the first of each file and code are kept; the others are one row, counted. File 0 is the export as a whole.
CREATE TABLE problem (
  id     INTEGER PRIMARY KEY,
  file   INTEGER,
  code   TEXT NOT NULL,
  reason TEXT NOT NULL,
  place  TEXT NOT NULL,              -- path and place, ready to print
  count  INTEGER NOT NULL DEFAULT 1,
  about  TEXT                        -- ids of the people or conversations that it is about: a list of JSON
) STRICT;

CREATE INDEX problem_file ON problem (file);

CREATE TABLE destination (
  id       INTEGER PRIMARY KEY,
  address  TEXT NOT NULL UNIQUE,     -- normalised base address, or sandbox:<id of its data file>
  name     TEXT NOT NULL,            -- as a person would say it
  profile  TEXT NOT NULL,
  used_at  INTEGER NOT NULL,
  -- What sending and reading back have shown; NULL until it was seen.
  batch_bytes_max    INTEGER,        -- bytes of a request's body, if an answer 413 showed that it takes fewer than its profile says
  shown_by           TEXT,           -- by what our messages are recognised in its listings: key (or muid), id (the service's alone), nothing
  duplicates         TEXT,           -- what it does with a muid that it has: refused, stored
  duplicates_seen_at INTEGER,
  copies_found_at    INTEGER         -- when messages were found twice: a request may be applied long after its answer
) STRICT;

CREATE TABLE conversation_delivery (
  destination     INTEGER NOT NULL REFERENCES destination (id),
  conversation    INTEGER NOT NULL REFERENCES conversation (id),
  receiver_type   TEXT NOT NULL,
  conversation_id TEXT,              -- the service's
  last_server_id  TEXT,              -- greatest id of ours that it confirmed
  foreign_count   INTEGER NOT NULL DEFAULT 0,
  -- Before our first request, written with the first intent. Only what was empty, and a group that was not there, may ever be taken back.
  was_empty       INTEGER,
  group_existed   INTEGER,
  PRIMARY KEY (destination, conversation)
) STRICT, WITHOUT ROWID;

CREATE TABLE person_delivery (
  destination INTEGER NOT NULL REFERENCES destination (id),
  person      INTEGER NOT NULL REFERENCES person (id),
  PRIMARY KEY (destination, person)
) STRICT, WITHOUT ROWID;

CREATE TABLE batch (
  id          INTEGER PRIMARY KEY,
  destination INTEGER NOT NULL REFERENCES destination (id),
  run         INTEGER NOT NULL REFERENCES run (id),
  size        INTEGER NOT NULL,
  bytes       INTEGER NOT NULL,
  state       TEXT NOT NULL          -- open: something of it is unconfirmed; closed
) STRICT;

CREATE INDEX batch_open ON batch (destination) WHERE state = 'open';

CREATE INDEX batch_run ON batch (run);

CREATE TABLE attempt (
  batch      INTEGER NOT NULL REFERENCES batch (id),
  number     INTEGER NOT NULL,       -- from 1
  started_at INTEGER NOT NULL,
  ended_at   INTEGER,
  outcome    TEXT,                   -- answered, not-applied, unknown
  status     INTEGER,
  code       TEXT,
  detail     TEXT,
  -- When it left, in ms since the machine started. After a kill this is how long ago that was at least, however the wall clock was set
  -- since: `uptime now - this`, or all of the uptime if the machine was started again.
  started_uptime INTEGER,
  PRIMARY KEY (batch, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE delivery (
  destination    INTEGER NOT NULL,
  message        INTEGER NOT NULL,
  state          TEXT NOT NULL,      -- pending, sent (unconfirmed until answered), imported, existing, failed
  batch          INTEGER NOT NULL,
  server_id      TEXT,
  code           TEXT,
  detail         TEXT,
  payload        TEXT,               -- what was sent, where the staged payload has changed since
  is_late        INTEGER NOT NULL DEFAULT 0,
  -- After an undo the destination may still know the earlier muid: the next delivery is of another generation, with a muid of its own.
  generation     INTEGER NOT NULL DEFAULT 1,
  muid           TEXT,               -- if the generation is not 1
  PRIMARY KEY (destination, message)
) STRICT, WITHOUT ROWID;

CREATE INDEX delivery_batch ON delivery (batch);

CREATE INDEX delivery_muid ON delivery (destination, muid) WHERE muid IS NOT NULL;

CREATE TABLE difference (
  destination  INTEGER NOT NULL REFERENCES destination (id),
  kind         TEXT NOT NULL,        -- missing, extra, different, duplicated, out-of-order
  muid         TEXT NOT NULL,
  conversation INTEGER REFERENCES conversation (id),
  message      INTEGER,
  detail       TEXT NOT NULL
) STRICT;

CREATE INDEX difference_message ON difference (message);

CREATE INDEX difference_conversation ON difference (conversation);

-- Every answer that a later one replaced, and every earlier batch that held the message. Written by the triggers alone, so that no way of
-- changing a delivery can forget it; first deliveries write nothing here.
CREATE TABLE delivery_history (
  destination INTEGER NOT NULL,
  message     INTEGER NOT NULL,
  batch       INTEGER NOT NULL,
  state       TEXT NOT NULL,
  server_id   TEXT,
  code        TEXT,
  detail      TEXT,
  generation  INTEGER NOT NULL,
  muid        TEXT
) STRICT;

CREATE INDEX delivery_history_message ON delivery_history (message);

-- What reading back found in each conversation when it was last read completely. Counts are messages.
CREATE TABLE conversation_check (
  destination  INTEGER NOT NULL REFERENCES destination (id),
  conversation INTEGER NOT NULL REFERENCES conversation (id),
  read_at      INTEGER NOT NULL,
  same         INTEGER NOT NULL,
  missing      INTEGER NOT NULL,
  extra        INTEGER NOT NULL,
  different    INTEGER NOT NULL,
  duplicated   INTEGER NOT NULL,
  foreign_to   INTEGER NOT NULL,     -- written by others
  PRIMARY KEY (destination, conversation)
) STRICT, WITHOUT ROWID;

-- People whom an import asked for before their first message: 0 if the destination did not know them.
CREATE TABLE person_before (
  destination INTEGER NOT NULL REFERENCES destination (id),
  person      INTEGER NOT NULL REFERENCES person (id),
  existed     INTEGER NOT NULL,
  deactivated INTEGER NOT NULL DEFAULT 0,  -- by an undo: 1; 2: an import has asked since to activate the person again
  PRIMARY KEY (destination, person)
) STRICT, WITHOUT ROWID;

-- What an undo would ask of a destination, or did. One row for each subject.
CREATE TABLE undo_call (
  id          INTEGER PRIMARY KEY,
  destination INTEGER NOT NULL REFERENCES destination (id),
  run         INTEGER NOT NULL REFERENCES run (id),
  kind        TEXT NOT NULL,         -- group, conversation, member, person, deactivation (of a person, after an import)
  subject     INTEGER NOT NULL,      -- conversation, person, or the arrival of a membership
  messages    INTEGER NOT NULL,
  state       TEXT NOT NULL,         -- planned; sent: committed before its request leaves; gone: seen to be gone; done; left
  sent_at     INTEGER,
  reason      TEXT,                  -- why it was left alone
  detail      TEXT
) STRICT;

CREATE INDEX undo_call_state ON undo_call (destination, state, id);

-- How many files of planned messages are at each host, for each file of the export.
CREATE TABLE attachment_host (
  file  INTEGER NOT NULL,
  host  TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (file, host)
) STRICT, WITHOUT ROWID;

-- Changes at the source of messages that may be at a destination, in the order in which they were noticed.
CREATE TABLE drift (
  id            INTEGER PRIMARY KEY,
  destination   INTEGER NOT NULL,
  message       INTEGER NOT NULL,
  kind          TEXT NOT NULL,       -- edited, deleted, restored, reactions, changed
  digest_before TEXT NOT NULL,
  digest        TEXT NOT NULL,       -- of the record since; empty where its file no longer holds it
  policy        TEXT NOT NULL,       -- report, send, ignore
  seen_at       INTEGER NOT NULL,
  plan          INTEGER NOT NULL,    -- number of the plan that noticed it
  follow_up     INTEGER              -- the message that says so there
) STRICT;

CREATE INDEX drift_message ON drift (message, destination);

CREATE INDEX drift_follow_up ON drift (follow_up) WHERE follow_up IS NOT NULL;

-- Where an export of the last days or weeks began later than what was known before it had ended.
CREATE TABLE export_gap (
  conversation INTEGER NOT NULL,
  after_at     INTEGER NOT NULL,     -- the newest message known before
  before_at    INTEGER NOT NULL,     -- the oldest one of the export
  PRIMARY KEY (conversation, after_at)
) STRICT, WITHOUT ROWID;

-- Friends and blocks, as the files of the export have them.
CREATE TABLE relation (
  file        INTEGER NOT NULL,
  type        TEXT NOT NULL,         -- friend, block
  from_person INTEGER NOT NULL,
  to_person   INTEGER NOT NULL
) STRICT;

CREATE INDEX relation_file ON relation (file);

-- What is to be done after the messages, one row for each effect. Made by the plan from the rows above, of the kinds that were asked for.
CREATE TABLE action (
  id        INTEGER PRIMARY KEY,
  kind      TEXT NOT NULL,           -- friends, reactions, blocks, deactivations
  message   INTEGER NOT NULL,        -- of a reaction, else 0
  person    INTEGER NOT NULL,        -- who reacts, blocks, is deactivated; of two friends the one with the lower number
  other     INTEGER NOT NULL,        -- the other friend, who is blocked; else 0
  reaction  TEXT NOT NULL,           -- else empty
  is_wanted INTEGER NOT NULL DEFAULT 1   -- 0: asked of a destination once, and not wanted any more
) STRICT;

CREATE UNIQUE INDEX action_effect ON action (message, person, other, kind, reaction);

-- What a destination said about an action. No row: nothing was ever tried there.
CREATE TABLE action_delivery (
  destination INTEGER NOT NULL,
  action      INTEGER NOT NULL,
  state       TEXT NOT NULL,         -- pending, sent (unconfirmed until answered; committed before the request leaves), done, existing, failed
  server_id   TEXT,                  -- of the message that it was asked for: what is sent again needs its reactions again
  attempts    INTEGER NOT NULL,
  sent_at     INTEGER NOT NULL,      -- latest attempt
  run         INTEGER NOT NULL,
  code        TEXT,
  detail      TEXT,
  PRIMARY KEY (destination, action)
) STRICT, WITHOUT ROWID;

-- People, groups and memberships that are imported before the messages, where a destination has operations for it. Made by the plan.
CREATE TABLE arrival (
  id           INTEGER PRIMARY KEY,
  kind         TEXT NOT NULL,        -- people, groups, members
  conversation INTEGER NOT NULL,     -- of a group or a membership, else 0
  person       INTEGER NOT NULL,     -- of a person or a membership, else 0
  payload      TEXT NOT NULL,        -- JSON: the item of the request
  is_assumed   INTEGER NOT NULL,     -- 1: the export does not say since when the person is a member
  is_wanted    INTEGER NOT NULL DEFAULT 1, -- 0: asked of a destination once, and not wanted any more; or not decided
  asked        INTEGER NOT NULL DEFAULT 0, -- of a membership of someone who wrote and is no member: 1 until people.former is decided, 2 until conversations.members is
  leaves       INTEGER NOT NULL DEFAULT 0  -- 1: a membership for the time in which messages are imported: it is taken back after that
) STRICT;

CREATE UNIQUE INDEX arrival_subject ON arrival (kind, conversation, person);

-- The answer of a destination about an arrival. No row: nothing was ever tried there.
CREATE TABLE arrival_delivery (
  destination INTEGER NOT NULL,
  arrival     INTEGER NOT NULL,
  -- pending, sent (unconfirmed until answered; committed before the request leaves), imported, existing, failed; of a membership that is
  -- taken back: leaving (committed before that request leaves), left
  state       TEXT NOT NULL,
  is_ours     INTEGER,               -- 1: made at our request; 0: surely not; NULL: a request without a clear answer may have made it
  attempts    INTEGER NOT NULL,
  sent_at     INTEGER NOT NULL,      -- latest attempt
  run         INTEGER NOT NULL,
  code        TEXT,
  detail      TEXT,
  payload     TEXT,                  -- what was sent, where the staged payload has changed since
  PRIMARY KEY (destination, arrival)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER arrival_changed AFTER UPDATE OF payload ON arrival WHEN old.payload <> new.payload
BEGIN
  UPDATE arrival_delivery SET payload = old.payload WHERE arrival = new.id AND payload IS NULL AND state <> 'pending';
END;

-- A file, once for each place from which it comes.
CREATE TABLE media_file (
  id          INTEGER PRIMARY KEY,
  origin      TEXT NOT NULL UNIQUE,    -- its address, or `export:`, the number of the input, `/` and its path there
  host        TEXT NOT NULL,           -- of the address; empty for a file of the export
  name        TEXT NOT NULL,           -- as the first message that was seen to have it calls it
  mime_type   TEXT NOT NULL,           -- as the export has it, else empty
  size_bytes  INTEGER,                 -- as the export has it
  expires_at  INTEGER,                 -- when its address stops working, where that can be seen
  state       TEXT NOT NULL,           -- waiting, copied, missing, refused, failed (may be tried again)
  reason      TEXT,                    -- in words, of the last three
  object      INTEGER,                 -- what it became
  tries       INTEGER NOT NULL DEFAULT 0,
  tried_at    INTEGER
) STRICT;

CREATE INDEX media_file_left ON media_file (expires_at IS NULL, coalesce(expires_at, 0), id) WHERE state IN ('waiting', 'failed');

CREATE INDEX media_file_object ON media_file (object) WHERE object IS NOT NULL;

-- The object stored at a location under a key.
CREATE TABLE media_object (
  id           INTEGER PRIMARY KEY,
  location     TEXT NOT NULL,          -- its name, without secrets
  key          TEXT NOT NULL,
  sha256       TEXT NOT NULL,          -- of the bytes, 64 hex digits
  size_bytes   INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  address      TEXT NOT NULL,          -- at which people open it
  facts        TEXT,                   -- JSON: width, height, thumbnail
  state        TEXT NOT NULL,          -- intended (committed before its first byte leaves), stored, removed
  is_ours      INTEGER NOT NULL,       -- 0: it stood there before we wrote anything under that key
  stored_at    INTEGER,
  checked_at   INTEGER,                -- when it was last read back
  fault        TEXT,                   -- what was wrong then
  UNIQUE (location, key)
) STRICT;

-- Files of each planned message, by their positions among its files.
CREATE TABLE media_use (
  message  INTEGER NOT NULL,
  position INTEGER NOT NULL,
  file     INTEGER NOT NULL,
  PRIMARY KEY (message, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX media_use_file ON media_use (file);

-- The payload of a message with files as it was planned; that in `message` has their new addresses.
CREATE TABLE media_message (
  message INTEGER PRIMARY KEY,
  planned TEXT NOT NULL,
  made    TEXT,                        -- digest of the payload that was made of it; NULL where none was yet
  waits   INTEGER NOT NULL DEFAULT 0   -- 1: it is not sent before its files are copied, or somebody decides
) STRICT;

CREATE INDEX media_message_waiting ON media_message (message) WHERE waits = 1;

-- Sums over all messages, JSON. The first write to a table of which they are made drops them: what is here is valid.
CREATE TABLE totals_cache (
  name  TEXT PRIMARY KEY,              -- with the version of the program: another one may count differently
  value TEXT NOT NULL
) STRICT;

CREATE TRIGGER message_inserted AFTER INSERT ON message WHEN EXISTS (SELECT 1 FROM totals_cache) BEGIN DELETE FROM totals_cache; END;
CREATE TRIGGER message_updated AFTER UPDATE ON message WHEN EXISTS (SELECT 1 FROM totals_cache) BEGIN DELETE FROM totals_cache; END;
CREATE TRIGGER message_deleted AFTER DELETE ON message WHEN EXISTS (SELECT 1 FROM totals_cache) BEGIN DELETE FROM totals_cache; END;
CREATE TRIGGER delivery_inserted AFTER INSERT ON delivery WHEN EXISTS (SELECT 1 FROM totals_cache) BEGIN DELETE FROM totals_cache; END;
CREATE TRIGGER delivery_updated AFTER UPDATE ON delivery WHEN EXISTS (SELECT 1 FROM totals_cache) BEGIN DELETE FROM totals_cache; END;
CREATE TRIGGER delivery_deleted AFTER DELETE ON delivery WHEN EXISTS (SELECT 1 FROM totals_cache) BEGIN DELETE FROM totals_cache; END;
CREATE TRIGGER conversation_delivery_inserted AFTER INSERT ON conversation_delivery WHEN EXISTS (SELECT 1 FROM totals_cache) BEGIN DELETE FROM totals_cache; END;
CREATE TRIGGER conversation_delivery_updated AFTER UPDATE ON conversation_delivery WHEN EXISTS (SELECT 1 FROM totals_cache) BEGIN DELETE FROM totals_cache; END;
CREATE TRIGGER conversation_delivery_deleted AFTER DELETE ON conversation_delivery WHEN EXISTS (SELECT 1 FROM totals_cache) BEGIN DELETE FROM totals_cache; END;
CREATE TRIGGER conversation_updated AFTER UPDATE OF type, name, receiver_type, guid, person_a, person_b, details, record ON conversation
WHEN EXISTS (SELECT 1 FROM totals_cache) BEGIN DELETE FROM totals_cache; END;
CREATE TRIGGER person_updated AFTER UPDATE OF uid ON person WHEN EXISTS (SELECT 1 FROM totals_cache) BEGIN DELETE FROM totals_cache; END;

CREATE TRIGGER delivery_dropped AFTER DELETE ON delivery
BEGIN
  DELETE FROM delivery_history WHERE message = old.message AND destination = old.destination;
END;

CREATE TRIGGER delivery_replaced AFTER UPDATE OF state, batch ON delivery
WHEN old.batch <> new.batch OR (old.state IN ('imported', 'existing', 'failed') AND old.state <> new.state)
BEGIN
  INSERT INTO delivery_history (destination, message, batch, state, server_id, code, detail, generation, muid)
  VALUES (old.destination, old.message, old.batch, old.state, old.server_id, old.code, old.detail, old.generation, old.muid);
END;

-- What turns out not to be there, or is to be sent once more, is sent as the source has it by then: nothing has to be said about it.
CREATE TRIGGER delivery_not_there AFTER UPDATE OF state ON delivery
WHEN new.state IN ('pending', 'failed') AND old.state NOT IN ('pending', 'failed')
BEGIN
  DELETE FROM delivery WHERE destination = new.destination AND state = 'pending' AND message IN (
    SELECT follow_up FROM drift WHERE message = new.message AND destination = new.destination);
  DELETE FROM drift WHERE message = new.message AND destination = new.destination;
END;

-- A row for each message at each destination, in reading order, and one (destination NULL) for the totals if nothing was ever to be sent. Of a
-- message whose text was split, the first part stands for all of them; the muids of the others begin with its own, 27 characters (and the
-- index on those is of no use if both sides of a comparison have a type: hence the plus).
CREATE VIEW message_at_destination AS
SELECT t.id AS destination, m.seq, m.muid, m.conversation, m.sender, m.sent_at, m.facts, m.file, m.place, d.is_late,
  coalesce(d.detail, m.detail) AS detail,
  -- A message that was sent there stays counted there, even if the export or the mapping changed since.
  CASE WHEN d.state <> 'pending' AND m.verdict <> 'duplicate' THEN 'planned'
    WHEN m.vanished = 1 AND m.verdict = 'planned' THEN 'skipped'
    ELSE m.verdict END AS verdict,
  CASE WHEN d.state <> 'pending' AND m.verdict <> 'duplicate' THEN NULL
    WHEN m.vanished = 1 AND m.verdict = 'planned' THEN 'gone from the export'
    ELSE m.reason END AS reason,
  -- Of all parts: unconfirmed if any is, else pending, failed, imported, existing. Where the first was
  -- sent in another version, those of this one (late_part) are none of it. Null where nothing was tried.
  CASE WHEN m.part IS NULL OR d.state IS NULL THEN d.state ELSE (
    SELECT CASE
      WHEN d.state = 'sent' OR max(pd.state = 'sent') THEN 'sent'
      WHEN d.state = 'pending' OR max(coalesce(pd.state, 'pending') = 'pending') THEN 'pending'
      WHEN d.state = 'failed' OR max(pd.state = 'failed') THEN 'failed'
      WHEN d.state = 'imported' OR max(pd.state = 'imported') THEN 'imported'
      ELSE 'existing' END
    FROM message p LEFT JOIN delivery pd ON pd.destination = d.destination AND pd.message = p.seq
    WHERE substr(p.muid, 1, 27) = +m.muid AND p.part > 1 AND p.verdict <> 'duplicate' AND p.vanished = 0
      AND coalesce(pd.code, '') <> 'late_part') END AS state,
  CASE WHEN m.part IS NULL OR d.code IS NOT NULL THEN d.code ELSE (
    SELECT max(pd.code) FROM message p LEFT JOIN delivery pd ON pd.destination = d.destination AND pd.message = p.seq
    WHERE substr(p.muid, 1, 27) = +m.muid AND p.part > 1 AND p.verdict <> 'duplicate' AND p.vanished = 0
      AND coalesce(pd.code, '') <> 'late_part') END AS code,
  -- Of the payloads of all parts as they are sent, without putting them together.
  octet_length(m.payload) + CASE substr(m.payload, 2, 1) WHEN char(10) THEN 76 + length(m.muid) WHEN char(9) THEN 48 + length(m.muid) ELSE 0 END
  + CASE WHEN m.part IS NULL THEN 0 ELSE (
    SELECT coalesce(sum(octet_length(p.payload) + CASE substr(p.payload, 2, 1) WHEN char(10) THEN 76 + length(p.muid) WHEN char(9) THEN 48 + length(p.muid) ELSE 0 END), 0)
    FROM message p WHERE substr(p.muid, 1, 27) = +m.muid AND p.part > 1 AND p.verdict = 'planned') END AS bytes
FROM (SELECT id FROM destination UNION ALL SELECT NULL) t
  CROSS JOIN message m LEFT JOIN delivery d ON d.destination = t.id AND d.message = m.seq
WHERE coalesce(m.part, 1) = 1;
