-- Files of messages that are copied to where they stay.

-- The files of a message that stand in the export itself, JSON: {"text": what the text is where they are attached, absent where it is the same,
-- "files": [{"at": position among the files of the record, "path": inside the export, "name", "mimeType", "size": bytes as text}]}.
ALTER TABLE message ADD COLUMN files TEXT;

-- What was staged before has none: its files are read again.
UPDATE source_file SET fingerprint = '' WHERE id IN (SELECT file FROM message WHERE facts LIKE '%"filesWithoutAddress":%');
UPDATE source_input SET listing = NULL WHERE id IN (SELECT input FROM source_file WHERE fingerprint = '');

-- A file, once for each place from which it comes.
CREATE TABLE media_file (
  id          INTEGER PRIMARY KEY,
  origin      TEXT NOT NULL UNIQUE,    -- its address, or `export:`, the number of the input, `/` and its path there
  host        TEXT NOT NULL,           -- of the address; empty for a file of the export
  name        TEXT NOT NULL,           -- as the first message that was seen to have it calls it
  mime_type   TEXT NOT NULL,           -- as the export has it, else empty
  size_bytes  INTEGER,                 -- as the export has it
  expires_at  INTEGER,                 -- when its address stops working, where that can be seen
  state       TEXT NOT NULL,           -- waiting, copied, missing, refused, failed (may be tried again)
  reason      TEXT,                    -- in words, of the last three
  object      INTEGER,                 -- what it became
  tries       INTEGER NOT NULL DEFAULT 0,
  tried_at    INTEGER
) STRICT;
CREATE INDEX media_file_left ON media_file (expires_at IS NULL, coalesce(expires_at, 0), id) WHERE state IN ('waiting', 'failed');
CREATE INDEX media_file_object ON media_file (object) WHERE object IS NOT NULL;

-- What stands at a location under a key.
CREATE TABLE media_object (
  id           INTEGER PRIMARY KEY,
  location     TEXT NOT NULL,          -- its name, without secrets
  key          TEXT NOT NULL,
  sha256       TEXT NOT NULL,          -- of the bytes, 64 hex digits
  size_bytes   INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  address      TEXT NOT NULL,          -- at which people open it
  facts        TEXT,                   -- JSON: width, height, thumbnail
  state        TEXT NOT NULL,          -- intended (committed before its first byte leaves), stored, removed
  is_ours      INTEGER NOT NULL,       -- 0: it stood there before we wrote anything under that key
  stored_at    INTEGER,
  checked_at   INTEGER,                -- when it was last read back
  fault        TEXT,                   -- what was wrong then
  UNIQUE (location, key)
) STRICT;

-- Which files a planned message has, by their positions among its files.
CREATE TABLE media_use (
  message  INTEGER NOT NULL,
  position INTEGER NOT NULL,
  file     INTEGER NOT NULL,
  PRIMARY KEY (message, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX media_use_file ON media_use (file);

-- The payload of a message with files as it was planned; that in `message` has their new addresses.
CREATE TABLE media_message (
  message INTEGER PRIMARY KEY,
  planned TEXT NOT NULL,
  made    TEXT,                        -- digest of the payload that was made of it; NULL where none was yet
  waits   INTEGER NOT NULL DEFAULT 0   -- 1: it is not sent before its files are copied, or somebody decides
) STRICT;
CREATE INDEX media_message_waiting ON media_message (message) WHERE waits = 1;
