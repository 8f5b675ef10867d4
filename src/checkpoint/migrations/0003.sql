-- Knowing before going: what checks find.

-- Findings that are only counted: the places of the first of each file and code are kept, the others are one row.
-- File 0 is the export as a whole.
ALTER TABLE problem ADD COLUMN count INTEGER NOT NULL DEFAULT 1;

-- Mapping: conversations that are sent before others, greatest first; texts that are sent in several messages.
ALTER TABLE conversation ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
-- From 1, where a text was split. The row of part 1 is the one that counts; the muids of the others begin with its 27 characters.
ALTER TABLE message ADD COLUMN part INTEGER;
CREATE INDEX message_part ON message (substr(muid, 1, 27)) WHERE part > 1;

-- Where the files of planned messages stay: how many at each host, for each file of the export.
CREATE TABLE attachment_host (
  file  INTEGER NOT NULL,
  host  TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (file, host)
) STRICT, WITHOUT ROWID;

-- What a destination was seen to do with a muid that it has: refused, stored. NULL: nobody looked.
ALTER TABLE destination ADD COLUMN duplicates TEXT;
ALTER TABLE destination ADD COLUMN duplicates_seen_at INTEGER;
