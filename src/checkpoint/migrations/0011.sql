-- What is found out about everything at once is kept until something changes.

-- Sums over all messages, JSON; whether they still hold: base/totals-cache.ts.
CREATE TABLE kept_books (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
-- How an input looked when a plan had read all of it: one digest for its names, sizes and times, or an archive's directory.
ALTER TABLE source_input ADD COLUMN listing TEXT;
