-- Words that users see: invalid and duplicate rows, failed and existing messages. The triggers must not run for that.
DROP TRIGGER delivery_replaced;
DROP TRIGGER delivery_not_there;
DROP VIEW message_at_destination;

-- Counts of before are made again.
DROP TABLE kept_books;
CREATE TABLE totals_cache (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

-- Made again before the next sending.
DROP INDEX IF EXISTS message_unplanned;
UPDATE message SET verdict = iif(verdict = 'rejected', 'invalid', 'duplicate') WHERE verdict IN ('rejected', 'repeated');
UPDATE delivery SET state = iif(state = 'refused', 'failed', 'existing') WHERE state IN ('refused', 'present');
-- Only a store with purged content has such payloads: others need not be read for them.
UPDATE delivery SET payload = '{"purged":' || substr(payload, 14)
WHERE EXISTS (SELECT 1 FROM meta WHERE key = 'contentForgotten') AND payload LIKE '{"forgotten":%';
UPDATE delivery_history SET state = iif(state = 'refused', 'failed', 'existing') WHERE state IN ('refused', 'present');
UPDATE action_delivery SET state = iif(state = 'refused', 'failed', 'existing') WHERE state IN ('refused', 'present');
UPDATE action SET reaction = 'purged' || substr(reaction, 10) WHERE reaction GLOB 'forgotten [0-9]*';
UPDATE media_file SET origin = 'purged' || substr(origin, 10) WHERE origin GLOB 'forgotten:*';
UPDATE meta SET key = 'contentPurged' WHERE key = 'contentForgotten';
UPDATE undo_call SET reason = CASE reason WHEN 'present' THEN 'existing' WHEN 'refused' THEN 'failed' ELSE 'unconfirmed' END
WHERE reason IN ('present', 'refused', 'in-doubt');
UPDATE problem SET code = replace(code, '-not-carried', '-not-migrated') WHERE code LIKE '%-not-carried';
UPDATE run SET stopped = replace(stopped, '"code":"in-doubt"', '"code":"unconfirmed"') WHERE stopped IS NOT NULL;

CREATE TRIGGER delivery_replaced AFTER UPDATE OF state, batch ON delivery
WHEN old.batch <> new.batch OR (old.state IN ('imported', 'existing', 'failed') AND old.state <> new.state)
BEGIN
  INSERT INTO delivery_history (destination, message, batch, state, server_id, code, detail, generation, muid)
  VALUES (old.destination, old.message, old.batch, old.state, old.server_id, old.code, old.detail, old.generation, old.muid);
END;

CREATE TRIGGER delivery_not_there AFTER UPDATE OF state ON delivery
WHEN new.state IN ('pending', 'failed') AND old.state NOT IN ('pending', 'failed')
BEGIN
  DELETE FROM delivery WHERE destination = new.destination AND state = 'pending' AND message IN (
    SELECT follow_up FROM drift WHERE message = new.message AND destination = new.destination);
  DELETE FROM drift WHERE message = new.message AND destination = new.destination;
END;

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
  -- Of the staged payloads of all parts.
  octet_length(m.payload) + CASE WHEN m.part IS NULL THEN 0 ELSE (
    SELECT coalesce(sum(octet_length(p.payload)), 0) FROM message p
    WHERE substr(p.muid, 1, 27) = +m.muid AND p.part > 1 AND p.verdict = 'planned') END AS bytes
FROM (SELECT id FROM destination UNION ALL SELECT NULL) t
  CROSS JOIN message m LEFT JOIN delivery d ON d.destination = t.id AND d.message = m.seq
WHERE coalesce(m.part, 1) = 1;
