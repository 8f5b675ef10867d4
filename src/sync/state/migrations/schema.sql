-- What `chatferry sync` remembers between runs. Times are epoch milliseconds.

CREATE TABLE job (
  name TEXT PRIMARY KEY,
  -- The schedule under which due_at was worked out.
  schedule TEXT NOT NULL,
  -- The next run; null where the schedule names none.
  due_at INTEGER,
  -- 1: the last run was stopped or killed before its end, and goes on as soon as it may.
  is_cut INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE job_run (
  id INTEGER PRIMARY KEY,
  job TEXT NOT NULL,
  number INTEGER NOT NULL,
  cause TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit INTEGER,
  -- JSON: what it added, what remains.
  result TEXT,
  -- Folder of its report, while that is there.
  report TEXT,
  UNIQUE (job, number)
) STRICT;

-- What is known of where an export comes from.
CREATE TABLE location (
  job TEXT PRIMARY KEY,
  -- The location under which `memory` was written, as the configuration names it.
  key TEXT NOT NULL,
  -- JSON, by kind: ETag, position.
  memory TEXT NOT NULL
) STRICT;

-- Files of a drop folder. One that changes is another.
CREATE TABLE archive (
  job TEXT NOT NULL,
  name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  modified_at REAL NOT NULL,
  -- Since when it looks like this.
  seen_at INTEGER NOT NULL,
  -- Digest of its first 64 KiB and instant at which a plan had read it.
  head TEXT,
  taken_at INTEGER,
  PRIMARY KEY (job, name, size_bytes, modified_at)
) STRICT;

-- Messages that were fetched from another app and may be listed once more: those of the overlap.
CREATE TABLE fetched (
  job TEXT NOT NULL,
  -- The service's id, as text.
  id TEXT NOT NULL,
  -- Unix seconds.
  sent_at INTEGER NOT NULL,
  -- Of the row as the service wrote it.
  digest BLOB NOT NULL,
  PRIMARY KEY (job, id)
) STRICT, WITHOUT ROWID;
