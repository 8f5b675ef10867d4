-- The sandbox's data: what a chat service would know. Times are Unix seconds. Credentials are kept as SHA-256 digests only. Any SQLite
-- tool may look.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE user (
  id             TEXT PRIMARY KEY,    -- uid
  entity         TEXT NOT NULL,       -- JSON as it stands in messages
  deactivated_at INTEGER              -- NULL while active
) STRICT, WITHOUT ROWID;

CREATE TABLE chat_group (
  id     TEXT PRIMARY KEY,            -- guid
  entity TEXT NOT NULL                -- JSON as it is answered, without membersCount
) STRICT, WITHOUT ROWID;

CREATE TABLE group_member (
  guid      TEXT NOT NULL,
  uid       TEXT NOT NULL,
  scope     TEXT NOT NULL,            -- admin, moderator, participant
  joined_at INTEGER NOT NULL,
  PRIMARY KEY (guid, uid)
) STRICT, WITHOUT ROWID;

CREATE INDEX group_member_uid ON group_member (uid);

CREATE TABLE group_ban (
  guid TEXT NOT NULL,
  uid  TEXT NOT NULL,
  PRIMARY KEY (guid, uid)
) STRICT, WITHOUT ROWID;

-- Conversations differ by who takes part in them. The name says less: `a_user_b` and `c` make the same of theirs as `a` and `b_user_c`.
CREATE TABLE conversation (
  id    INTEGER PRIMARY KEY,
  name  TEXT NOT NULL UNIQUE,         -- the service's conversationId
  sides TEXT                          -- `#guid`, or two uids in ascending order with a space between
) STRICT;

CREATE UNIQUE INDEX conversation_sides ON conversation (sides);

CREATE TABLE message (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,  -- ascending in the order of arrival
  muid          TEXT,                 -- not unique: some services store duplicates
  conversation  INTEGER NOT NULL REFERENCES conversation (id),
  parent        INTEGER,              -- of a reply in a thread: id of the message that it replies to
  sender        TEXT NOT NULL,
  receiver      TEXT NOT NULL,
  receiver_type TEXT NOT NULL,
  category      TEXT NOT NULL,
  type          TEXT NOT NULL,
  data          TEXT NOT NULL,        -- JSON, without entities
  entities      TEXT,                 -- JSON; of actions and calls, whose entities are not sender and receiver
  tags          TEXT,                 -- JSON
  sent_at       INTEGER NOT NULL,
  delivered_at  INTEGER,
  read_at       INTEGER,
  deleted_at    INTEGER
) STRICT;

CREATE INDEX message_conversation ON message (conversation);
CREATE INDEX message_muid ON message (muid) WHERE muid IS NOT NULL;

-- Who ever wrote or was written to in a conversation. Finds the messages of a user; two indexes on messages would cost every
-- import a third of its speed.
CREATE TABLE participant (
  uid          TEXT NOT NULL,
  conversation INTEGER NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
  PRIMARY KEY (uid, conversation)
) STRICT, WITHOUT ROWID;

CREATE INDEX participant_conversation ON participant (conversation);

CREATE TABLE reaction (
  id       INTEGER PRIMARY KEY,       -- ascending in the order of arrival
  message  INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  reaction TEXT NOT NULL,
  uid      TEXT NOT NULL,
  UNIQUE (message, reaction, uid)
) STRICT;

CREATE TABLE bot (
  uid TEXT PRIMARY KEY                -- a bot is a user too
) STRICT, WITHOUT ROWID;

CREATE TABLE api_key (
  digest     TEXT PRIMARY KEY,        -- hexadecimal
  name       TEXT NOT NULL,
  scope      TEXT NOT NULL,           -- fullAccess, authOnly
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE auth_token (
  digest     TEXT PRIMARY KEY,        -- hexadecimal
  uid        TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  platform   TEXT,
  user_agent TEXT,
  app_info   TEXT                     -- JSON
) STRICT, WITHOUT ROWID;

CREATE TABLE friend (                 -- one row each way
  uid        TEXT NOT NULL,
  friend     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (uid, friend)
) STRICT, WITHOUT ROWID;

CREATE TABLE block (
  uid        TEXT NOT NULL,
  blocked    TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (uid, blocked)
) STRICT, WITHOUT ROWID;

CREATE TABLE role (
  name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

INSERT INTO role (name) VALUES ('default');

CREATE TABLE restricted_feature (
  role        TEXT NOT NULL REFERENCES role (name) ON DELETE CASCADE,
  key         TEXT NOT NULL,          -- u.deleteGroup
  title       TEXT NOT NULL,
  description TEXT NOT NULL,
  path        TEXT NOT NULL,          -- template: /v3/groups/{{guid}}
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (role, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE contact_details (
  uid   TEXT PRIMARY KEY,
  email TEXT,
  phno  TEXT
) STRICT, WITHOUT ROWID;

-- How much happened in the five minutes from `started_at` on. Imports do not count.
CREATE TABLE activity (
  started_at INTEGER PRIMARY KEY,
  sent       INTEGER NOT NULL,
  delivered  INTEGER NOT NULL,
  read       INTEGER NOT NULL
) STRICT;

CREATE TABLE reserved_muid (          -- of messages that are gone with their conversation
  muid TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Distinguishes one sandbox from another, wherever the file is moved.
INSERT INTO meta (key, value) VALUES ('id', lower(hex(randomblob(16))));
