-- The sandbox's data: what a chat service would know. Times are Unix seconds. Any SQLite tool may look.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE user (
  id     TEXT PRIMARY KEY,            -- uid
  entity TEXT NOT NULL                -- JSON as it stands in messages
) STRICT, WITHOUT ROWID;

CREATE TABLE chat_group (
  id     TEXT PRIMARY KEY,            -- guid
  entity TEXT NOT NULL                -- JSON as it is answered, without membersCount
) STRICT, WITHOUT ROWID;

CREATE TABLE group_member (
  guid      TEXT NOT NULL,
  uid       TEXT NOT NULL,
  scope     TEXT NOT NULL,            -- admin, participant
  joined_at INTEGER NOT NULL,
  PRIMARY KEY (guid, uid)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversation (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE           -- the service's conversationId
) STRICT;

CREATE TABLE message (
  id            INTEGER PRIMARY KEY,  -- ascending in the order of arrival
  muid          TEXT NOT NULL,        -- not unique: some services store duplicates
  conversation  INTEGER NOT NULL REFERENCES conversation (id),
  sender        TEXT NOT NULL,
  receiver      TEXT NOT NULL,
  receiver_type TEXT NOT NULL,
  category      TEXT NOT NULL,
  type          TEXT NOT NULL,
  data          TEXT NOT NULL,        -- JSON, without entities
  tags          TEXT,                 -- JSON
  sent_at       INTEGER NOT NULL,
  delivered_at  INTEGER,
  read_at       INTEGER
) STRICT;

CREATE INDEX message_conversation ON message (conversation);
CREATE INDEX message_muid ON message (muid);
