/**
 * Statements that read a whole table, or all rows of a destination: their number in each file of the store (`any` if a
 * file does nothing else), and the reason. A new one belongs here only if it cannot be a look-up.
 */
export const passesOnce: Readonly<Record<string, readonly [count: number | 'any', why: string]>> = {
  'destinations.ts': [
    7,
    'whether there is any: ends with the first that there is; claims that are over, when a run begins, and its own, when it ends',
  ],
  'batches.ts': [2, 'all attempts are counted for the report; what is unconfirmed, when a verification begins'],
  'batches/replay.ts': [1, 'what is unconfirmed, once when a copy of a store is restored'],
  'checks.ts': [
    13,
    'what a verification found is counted, or dropped; a sample is drawn; what is missing, when a repair begins; what nobody read back',
  ],
  'checks/differences.ts': [1, 'differences are dropped as a whole'],
  'checks/listed.ts': [
    2,
    'what left the plan and is there, when a verification begins; the latest that is shown, when it looks again',
  ],
  'checks/purge.ts': [4, 'what may be purged, once for the command'],
  'lanes.ts': [7, 'what there is to send or to read back, when that begins; what is quarantined, when retry does'],
  'failures.ts': [
    9,
    'what failed, when retry and export-failed begin; what must not be sent, when an import does; what was late',
  ],
  'conversations.ts': [
    11,
    'names that an export which was read whole no longer has; those of two people and of each type, for the picture of a reading; a filter is compared with all; those that left the plan, when an undo begins; members who never wrote, and third people, at the end of a plan',
  ],
  'actions.ts': [
    13,
    'counts of all actions, for a report; the actions to do, those that wait for somebody to arrive, and the latest that is unconfirmed, once before they are done',
  ],
  'files.ts': [
    6,
    'files of an input, when reading begins; whether there is any; messages of a time, by the index of each conversation; gaps, at the end of a plan of an export of the last weeks',
  ],
  'messages.ts': [
    15,
    'what became of the rows is counted at the end of a plan; messages of one id that differ, replies without a root and frozen payloads, at the end of a plan; whether any row was met, until the first; what alarms keep back, and release, once they are judged',
  ],
  'media.ts': [
    11,
    'files are added up for the report; what is to be copied, what stands elsewhere and what is gone, when copying begins; messages that wait, and the files that they wait for, for a report and before sending',
  ],
  'media/figures.ts': ['any', 'a section of the report'],
  'problems.ts': [
    4,
    'problems of one code are replaced at the end of a plan; hosts are counted, addresses drawn as a sample',
  ],
  'people.ts': [
    9,
    'everybody, when an import or an undo begins, and at the end of a plan, or a later plan reads on; people with one uid, at the end of a plan; names, as of conversations',
  ],
  'base/connection.ts': [1, 'the few tables there are, when a store is opened'],
  'batches/attempt-ages.ts': [
    2,
    'destinations, and actions unconfirmed, once when a copy of a store is made or restored',
  ],
  'base/store-copy.ts': [1, 'the pieces of a file, when a copy is taken apart'],
  'undo.ts': [15, 'what an undo would ask for is listed and counted'],
  'arrivals.ts': [
    11,
    'whether there is any; people, groups and members are counted for the report, and groups that get members; who is a member for an import alone, once before and after it',
  ],
  'arrivals/stage.ts': [2, 'who is imported with the messages, at the end of a plan'],
  'deactivated.ts': [2, 'who was deactivated, once before an import sends'],
  'totals.ts': ['any', 'sections of the report, one of which counts every message'],
  'totals/explain.ts': [
    2,
    'a message by its id at the source, or by a muid of long ago: one for a command, an index would cost every import',
  ],
  'totals/findings.ts': ['any', 'findings, of which 1,000 of a code are kept, and a look at a few of their messages'],
  'totals/odd.ts': ['any', 'checks of the export as a whole'],
};

/** Those among them that a command carries out more than three times. */
export const carriedOutOften: readonly (readonly [start: string, why: string])[] = [
  ['actions.ts: SELECT 1 FROM action LIMIT 1', 'whether there is any: ends with the first'],
  [
    'totals/findings.ts: SELECT place AS location, reason AS detail FROM problem',
    'examples of each code: there are a hundred at most',
  ],
  ['totals/findings.ts: SELECT DISTINCT coalesce(about', 'ids that a decision of a list offers: the same'],
  ['undo.ts: SELECT 1 FROM undo_call', 'calls that an interrupted undo left open: no more than were in flight'],
];

/** Those that are gone through for each row of something else, as SQLite words it. In the order of the alphabet. */
export const passesAgain: readonly (readonly [start: string, why: string])[] = [
  ['conversations.ts: DELETE FROM conversation', 'the few names that nothing read names any more'],
  ['people.ts: DELETE FROM person', 'the same'],
  ['totals.ts: INSERT INTO temp.listed_conversation', 'behind one destination'],
  ['totals.ts: SELECT conversation, sender, sent_at', 'behind one destination'],
  ['totals/odd.ts: SELECT source_id AS path', 'behind a question with one answer'],
  ['totals/odd.ts: WITH numbered AS', 'behind one row of meta'],
  [
    'undo.ts: INSERT INTO undo_call (destination, run, kind, subject',
    'calls that an interrupted undo left open: no more than were in flight',
  ],
  ['undo.ts: INSERT INTO undo_call (destination, run, kind, subject', 'the same'],
];

/** Hardly a command here has an occasion for them: of a damaged or a locked store, of what is rare. None of them is a look-up in a wide table. */
export const neverSeen: readonly string[] = [
  // One row by its key, and an update at the end of a plan that leaves messages out.
  'arrivals.ts: UPDATE arrival_delivery SET state = @state, code = @code, detail = @detail WHERE destin',
  'arrivals/former.ts: ',

  'batches.ts: INSERT INTO delivery (destination, message, state, batch, server_id, code, detail, is_la',
  'batches/replay.ts: UPDATE delivery SET is_late = ? WHERE destination = ? AND message = ? AND is_late',
  `totals/explain.ts: SELECT p.uid,…, NULL AS destination, 'pending' AS state, NULL AS code, NULL AS de`,
  'open.ts: PRAGMA quick_check(…)',
  `totals.ts: SELECT m.code,…AND m.state = 'failed' AND m.verdict = 'planned'`,
  `base/health.ts: SELECT name FROM sqlite_schema WHERE type = 'table'`,
  'base/store-damage.ts: ',
  'base/store-damage.ts: ',
  `base/store-damage.ts: SELECT name, sql, type FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'`,
  'conversations.ts: DELETE FROM delivery WHERE destination = ? AND message = ?',
  'failures.ts: SELECT count(*) FILTER (WHERE is_refused) AS failed, count(*) FILTER (WHERE is_refused ',
  'failures.ts: SELECT id, path, source FROM source_input WHERE id IN (SELECT input FROM temp.failed) O',
  'checks/purge.ts: SELECT f.message AS seq, coalesce(d.muid, m.muid) AS muid FROM temp.purgeable f JOI',
  `messages.ts: SELECT count(DISTINCT message) FROM delivery WHERE state <> 'pending' AND message IN (S`,
  `totals.ts: SELECT id, person_a AS a, person_b AS b FROM conversation WHERE receiver_type = 'user'`,
  'base/spilled-map.ts: SELECT value FROM…WHERE id = ?',
  'messages/follow-ups.ts: UPDATE drift SET follow_up = NULL WHERE message = @message AND destination =',
];
