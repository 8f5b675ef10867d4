-- The checkpoint store. Any SQLite tool may look; only Chatferry may write.
-- Times are epoch milliseconds. Ids of the export keep the platform's raw spelling.

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

-- The books of the export.

CREATE TABLE source_input (
  id          INTEGER PRIMARY KEY,
  path        TEXT NOT NULL UNIQUE   -- absolute path of the folder or archive
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
  is_placeholder INTEGER NOT NULL    -- 1: no file of the export describes this person
) STRICT;

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
  is_placeholder INTEGER NOT NULL
) STRICT;

-- The wide tables declare no foreign keys: checking them costs more than writing the rows.
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
  facts         TEXT,                -- JSON: what the record carries, counted: reactions, attachments, replies ...
  file          INTEGER NOT NULL,
  place         TEXT NOT NULL,       -- line or JSON pointer inside the file
  stale         INTEGER NOT NULL DEFAULT 0,  -- while a file is read again: not met yet
  vanished      INTEGER NOT NULL DEFAULT 0,  -- its file no longer holds it, and something was sent for it
  payload       TEXT                 -- JSON: what goes into the request besides muid, sender, receiver, times and people's details
                                     -- (last, so that counting does not have to step over it)
) STRICT;

CREATE TABLE problem (
  id     INTEGER PRIMARY KEY,
  file   INTEGER,
  code   TEXT NOT NULL,
  reason TEXT NOT NULL,
  place  TEXT NOT NULL               -- path and place, ready to print
) STRICT;
CREATE INDEX problem_file ON problem (file);

-- The books of each destination.

CREATE TABLE destination (
  id       INTEGER PRIMARY KEY,
  address  TEXT NOT NULL UNIQUE,     -- normalised base address, or sandbox:<id of its data file>
  name     TEXT NOT NULL,            -- as a person would say it
  profile  TEXT NOT NULL,
  used_at  INTEGER NOT NULL
) STRICT;

-- What a conversation became there. The receiver is fixed at the first intent.
CREATE TABLE conversation_delivery (
  destination     INTEGER NOT NULL REFERENCES destination (id),
  conversation    INTEGER NOT NULL REFERENCES conversation (id),
  receiver_type   TEXT NOT NULL,
  conversation_id TEXT,              -- the service's
  last_server_id  TEXT,              -- greatest id of ours that it confirmed
  foreign_count   INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (destination, conversation)
) STRICT, WITHOUT ROWID;

-- People whose details a receipt has shown to be there.
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

-- One request. Committed before its first byte leaves; so a batch without attempts was never sent.
CREATE TABLE attempt (
  batch      INTEGER NOT NULL REFERENCES batch (id),
  number     INTEGER NOT NULL,       -- from 1
  started_at INTEGER NOT NULL,
  ended_at   INTEGER,
  outcome    TEXT,                   -- answered, not-applied, unknown
  status     INTEGER,
  code       TEXT,
  detail     TEXT,
  PRIMARY KEY (batch, number)
) STRICT, WITHOUT ROWID;

-- What a destination said about a message. No row: nothing was ever tried there.
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
  PRIMARY KEY (destination, message)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_batch ON delivery (batch);

-- Everything that reached a verdict by comparing: one row per difference that verify found, of its last run there.
CREATE TABLE difference (
  destination  INTEGER NOT NULL REFERENCES destination (id),
  kind         TEXT NOT NULL,        -- missing, extra, different, duplicated, out-of-order
  muid         TEXT NOT NULL,
  conversation INTEGER REFERENCES conversation (id),
  message      INTEGER,
  detail       TEXT NOT NULL
) STRICT;
