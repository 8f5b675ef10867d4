-- A changed file is read again from its start. Earlier versions could go on behind its last whole line, and staged what came
-- after that line under a file of its own (role "rest"): its rows go to the file itself, which the next plan reads again.
UPDATE message SET file = (SELECT f.id FROM source_file f WHERE f.rest = message.file)
  WHERE file IN (SELECT rest FROM source_file WHERE rest IS NOT NULL);
UPDATE problem SET file = (SELECT f.id FROM source_file f WHERE f.rest = problem.file)
  WHERE file IN (SELECT rest FROM source_file WHERE rest IS NOT NULL);
UPDATE relation SET file = (SELECT f.id FROM source_file f WHERE f.rest = relation.file)
  WHERE file IN (SELECT rest FROM source_file WHERE rest IS NOT NULL);
INSERT INTO attachment_host (file, host, count)
  SELECT f.id, h.host, h.count FROM attachment_host h JOIN source_file f ON f.rest = h.file WHERE true
  ON CONFLICT DO UPDATE SET count = count + excluded.count;
DELETE FROM attachment_host WHERE file IN (SELECT rest FROM source_file WHERE rest IS NOT NULL);
UPDATE source_input SET listing = NULL WHERE id IN (SELECT input FROM source_file WHERE rest IS NOT NULL);
UPDATE source_file SET fingerprint = '' WHERE rest IS NOT NULL;
DELETE FROM source_file WHERE role = 'rest';
ALTER TABLE source_file DROP COLUMN rest;
ALTER TABLE source_file DROP COLUMN read_to;
