-- What follows the messages: friends, reactions, blocks, deactivations.

-- Who gave which reaction, where a plan was asked to replay them. JSON: [["👍",[3,7]], …]; the numbers are people.
ALTER TABLE message ADD COLUMN reactions TEXT;

-- Friends and blocks, as the files of the export have them.
CREATE TABLE relation (
  file        INTEGER NOT NULL,
  type        TEXT NOT NULL,         -- friend, block
  from_person INTEGER NOT NULL,
  to_person   INTEGER NOT NULL
) STRICT;
CREATE INDEX relation_file ON relation (file);

-- What is to be done, one row for each effect. Made by the plan from the rows above, and only of kinds that were asked for.
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
