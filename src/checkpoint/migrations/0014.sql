-- Of several versions of a message the later one counts, by what it says itself: `version` grows with later states
-- (model/record-version.ts). Rows of earlier plans do not have it, so their files are read again.
ALTER TABLE message ADD COLUMN version TEXT;
UPDATE source_file SET fingerprint = '';
