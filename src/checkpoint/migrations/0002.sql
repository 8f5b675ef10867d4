-- Taking back, and what a destination was found to hold.

-- After an undo the destination may still know the earlier muid: the next delivery there is of another generation, with a muid of its own.
ALTER TABLE delivery ADD COLUMN generation INTEGER NOT NULL DEFAULT 1;
ALTER TABLE delivery ADD COLUMN muid TEXT;   -- where the generation is not 1
CREATE INDEX delivery_muid ON delivery (destination, muid) WHERE muid IS NOT NULL;

-- What a delivery was before: every answer that a later one replaced, and every earlier batch that held the message.
-- Written by the triggers alone, so that no way of changing a delivery can forget it; first deliveries write nothing here.
CREATE TABLE delivery_history (
  destination INTEGER NOT NULL,
  message     INTEGER NOT NULL,
  batch       INTEGER NOT NULL,
  state       TEXT NOT NULL,
  server_id   TEXT,
  code        TEXT,
  detail      TEXT,
  generation  INTEGER NOT NULL,
  muid        TEXT                   -- where the generation is not 1
) STRICT;
CREATE INDEX delivery_history_message ON delivery_history (message);
CREATE TRIGGER delivery_replaced AFTER UPDATE OF state, batch ON delivery
WHEN old.batch <> new.batch OR (old.state IN ('imported', 'present', 'refused') AND old.state <> new.state)
BEGIN
  INSERT INTO delivery_history (destination, message, batch, state, server_id, code, detail, generation, muid)
  VALUES (old.destination, old.message, old.batch, old.state, old.server_id, old.code, old.detail, old.generation, old.muid);
END;
CREATE TRIGGER delivery_dropped AFTER DELETE ON delivery
BEGIN
  DELETE FROM delivery_history WHERE message = old.message AND destination = old.destination;
END;

-- Files of our own records may add to a store of another source: corrected rejects.
ALTER TABLE source_input ADD COLUMN source TEXT;   -- where it is not that of the store

CREATE INDEX difference_message ON difference (message);

-- What reading back found in each conversation when it was last read whole. Counts are messages.
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

-- What stood in a conversation before our first request for it left; NULL where an earlier version did not look.
-- Written with the first intent. Only what was empty, and a group that was not there, may ever be taken back.
ALTER TABLE conversation_delivery ADD COLUMN was_empty INTEGER;
ALTER TABLE conversation_delivery ADD COLUMN group_existed INTEGER;

-- People whom an import asked for before their first message: 0 where the destination did not know them.
CREATE TABLE person_before (
  destination INTEGER NOT NULL REFERENCES destination (id),
  person      INTEGER NOT NULL REFERENCES person (id),
  existed     INTEGER NOT NULL,
  PRIMARY KEY (destination, person)
) STRICT, WITHOUT ROWID;

-- What an undo would ask of a destination, or did. One row for each conversation or person.
CREATE TABLE undo_call (
  id          INTEGER PRIMARY KEY,
  destination INTEGER NOT NULL REFERENCES destination (id),
  run         INTEGER NOT NULL REFERENCES run (id),
  kind        TEXT NOT NULL,         -- group, conversation, person
  subject     INTEGER NOT NULL,      -- conversation or person
  messages    INTEGER NOT NULL,
  state       TEXT NOT NULL,         -- planned; sent: committed before its request leaves; gone: seen to be gone; done; left
  sent_at     INTEGER,
  reason      TEXT,                  -- why it was left alone
  detail      TEXT
) STRICT;
CREATE INDEX undo_call_state ON undo_call (destination, state, id);

-- What sending has shown of a destination; NULL until it was seen.
ALTER TABLE destination ADD COLUMN batch_bytes_max INTEGER;  -- bytes of a request's body that it takes, where an answer 413 showed that they are fewer than its profile says
ALTER TABLE destination ADD COLUMN shown_by TEXT;            -- by what our messages are recognised in its listings: key (or muid), id (the service's alone), nothing

-- When an attempt left, in ms since the machine started. After a kill it tells how long ago that was at least, whatever was done to
-- the wall clock since: `uptime now - this`, or all of the uptime where the machine was started again.
ALTER TABLE attempt ADD COLUMN started_uptime INTEGER;
