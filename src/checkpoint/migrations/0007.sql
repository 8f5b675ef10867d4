-- What became of each message at each destination.

-- A row for each message at each destination, in reading order, and one (destination NULL) for the books where nothing was ever to be sent. Of a
-- message whose text was split, the first part stands for all of them; the muids of the others begin with its own, 27 characters (and the
-- index on those is of no use where both sides of a comparison have a type: hence the plus).
CREATE VIEW message_at_destination AS
SELECT t.id AS destination, m.seq, m.muid, m.conversation, m.sender, m.sent_at, m.facts, m.file, m.place, d.is_late,
  coalesce(d.detail, m.detail) AS detail,
  -- What was sent there stays in its books, whatever the export and the mapping say of it since.
  CASE WHEN d.state <> 'pending' AND m.verdict <> 'repeated' THEN 'planned'
    WHEN m.vanished = 1 AND m.verdict = 'planned' THEN 'skipped'
    ELSE m.verdict END AS verdict,
  CASE WHEN d.state <> 'pending' AND m.verdict <> 'repeated' THEN NULL
    WHEN m.vanished = 1 AND m.verdict = 'planned' THEN 'gone from the export'
    ELSE m.reason END AS reason,
  -- Of all parts: unconfirmed if any is, else pending if any is, else refused if any is, else imported if any is. Where the first was
  -- sent in another version, those of this one (late_part) are none of it. Null where nothing was tried.
  CASE WHEN m.part IS NULL OR d.state IS NULL THEN d.state ELSE (
    SELECT CASE
      WHEN d.state = 'sent' OR max(pd.state = 'sent') THEN 'sent'
      WHEN d.state = 'pending' OR max(coalesce(pd.state, 'pending') = 'pending') THEN 'pending'
      WHEN d.state = 'refused' OR max(pd.state = 'refused') THEN 'refused'
      WHEN d.state = 'imported' OR max(pd.state = 'imported') THEN 'imported'
      ELSE 'present' END
    FROM message p LEFT JOIN delivery pd ON pd.destination = d.destination AND pd.message = p.seq
    WHERE substr(p.muid, 1, 27) = +m.muid AND p.part > 1 AND p.verdict <> 'repeated' AND p.vanished = 0
      AND coalesce(pd.code, '') <> 'late_part') END AS state,
  CASE WHEN m.part IS NULL OR d.code IS NOT NULL THEN d.code ELSE (
    SELECT max(pd.code) FROM message p LEFT JOIN delivery pd ON pd.destination = d.destination AND pd.message = p.seq
    WHERE substr(p.muid, 1, 27) = +m.muid AND p.part > 1 AND p.verdict <> 'repeated' AND p.vanished = 0
      AND coalesce(pd.code, '') <> 'late_part') END AS code,
  -- Of the staged payloads of all parts.
  octet_length(m.payload) + CASE WHEN m.part IS NULL THEN 0 ELSE (
    SELECT coalesce(sum(octet_length(p.payload)), 0) FROM message p
    WHERE substr(p.muid, 1, 27) = +m.muid AND p.part > 1 AND p.verdict = 'planned') END AS bytes
FROM (SELECT id FROM destination UNION ALL SELECT NULL) t
  CROSS JOIN message m LEFT JOIN delivery d ON d.destination = t.id AND d.message = m.seq
WHERE coalesce(m.part, 1) = 1;
