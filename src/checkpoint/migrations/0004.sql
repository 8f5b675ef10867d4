-- A source that changes after messages were sent.

-- A follow-up: a message that says what became of an earlier one (its `seq`) at the source. It is a further part (`part` 2), so that
-- nothing counts it as a row of the export, and goes only where a delivery of it stands: batch 0 until something of it was sent.
ALTER TABLE message ADD COLUMN follows INTEGER;

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

-- What turns out not to be there, or is to be sent once more, goes out as the source has it by then: nothing has to be said about it.
CREATE TRIGGER delivery_not_there AFTER UPDATE OF state ON delivery
WHEN new.state IN ('pending', 'refused') AND old.state NOT IN ('pending', 'refused')
BEGIN
  DELETE FROM delivery WHERE destination = new.destination AND state = 'pending' AND message IN (
    SELECT follow_up FROM drift WHERE message = new.message AND destination = new.destination);
  DELETE FROM drift WHERE message = new.message AND destination = new.destination;
END;

-- Where an export of the last days or weeks began later than what was known before it had ended.
CREATE TABLE export_gap (
  conversation INTEGER NOT NULL,
  after_at     INTEGER NOT NULL,     -- the newest message known before
  before_at    INTEGER NOT NULL,     -- the oldest one of the export
  PRIMARY KEY (conversation, after_at)
) STRICT, WITHOUT ROWID;
