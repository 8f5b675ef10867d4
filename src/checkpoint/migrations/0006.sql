-- Files that grow.

-- Where the last whole line of a file ended when it was read, and what its reader knew there: JSON {v, byteOffset, lineCount, digest, state}.
-- A file that has grown is read from there. NULL: it is read from its start.
ALTER TABLE source_file ADD COLUMN read_to TEXT;
-- The row of what stood behind its last whole line (role "rest", the same path): it may have been cut, and is read again with what is added.
ALTER TABLE source_file ADD COLUMN rest INTEGER;
