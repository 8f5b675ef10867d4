import type { Database } from 'better-sqlite3';

/** What a report counts of one message; in one pass over all of them, without their payloads. */
export interface MessageFacts {
  readonly conversation: number | null;
  readonly sender: number | null;
  readonly sentAt: number | null;
  readonly verdict: 'planned' | 'skipped' | 'rejected' | 'repeated';
  readonly reason: string | null;
  /** JSON. */
  readonly facts: string | null;
  readonly seq: number;
  /** State of the delivery, or null where nothing was tried. */
  readonly state: string | null;
  readonly code: string | null;
  readonly isLate: number | null;
  /** Of the staged payload; without ids and details, which add some 150 bytes a message. */
  readonly bytes: number | null;
}

/** What was sent to a destination stays in its books, whatever the export and the mapping say of it since. */
const isSentThere = `coalesce(d.state, 'pending') <> 'pending' AND m.verdict <> 'repeated'`;
const isVanishedUnsent = `m.vanished = 1 AND m.verdict = 'planned'`;
export const verdictThere = `CASE WHEN ${isSentThere} THEN 'planned' WHEN ${isVanishedUnsent} THEN 'skipped' ELSE m.verdict END`;
const reasonThere = `CASE WHEN ${isSentThere} THEN NULL WHEN ${isVanishedUnsent} THEN 'gone from the export' ELSE m.reason END`;

/** Further parts of a message that was split. Where the first was sent in another version, those of this one are none of it. */
const partsThere = `FROM message p LEFT JOIN delivery pd ON pd.destination = d.destination AND pd.message = p.seq
  WHERE substr(p.muid, 1, 27) = m.muid AND p.part > 1 AND p.verdict <> 'repeated' AND p.vanished = 0 AND coalesce(pd.code, '') <> 'late_part'`;
const ranked = (state: string) =>
  `CASE coalesce(${state}, 'pending') WHEN 'present' THEN 1 WHEN 'imported' THEN 2 WHEN 'refused' THEN 3 WHEN 'pending' THEN 4 ELSE 5 END`;
export /** Of a message that was split: in doubt if any part is, else pending if any is, else refused if any is, else imported. */
const stateThere = `CASE WHEN m.part IS NULL OR d.state IS NULL THEN d.state ELSE
  (SELECT CASE max(${ranked('d.state')}, coalesce(max(${ranked('pd.state')}), 1))
     WHEN 1 THEN 'present' WHEN 2 THEN 'imported' WHEN 3 THEN 'refused' WHEN 4 THEN 'pending' ELSE 'sent' END ${partsThere}) END`;
export const codeThere = `CASE WHEN m.part IS NULL OR d.code IS NOT NULL THEN d.code ELSE
  (SELECT max(pd.code) ${partsThere}) END`;
const bytesThere = `octet_length(m.payload) + CASE WHEN m.part IS NULL THEN 0 ELSE
  (SELECT coalesce(sum(octet_length(p.payload)), 0) FROM message p
   WHERE substr(p.muid, 1, 27) = m.muid AND p.part > 1 AND p.verdict = 'planned') END`;

/** Calls back for every row, in reading order: one pass, one object at a time. */
export function eachMessage(db: Database, destination: number | null, visit: (facts: MessageFacts) => void): void {
  // Lists of values: better-sqlite3 takes twice as long to make objects.
  const rows = db
    .prepare<[number | null], MessageValues>(
      `SELECT m.conversation, m.sender, m.sent_at, ${verdictThere}, ${reasonThere}, m.facts, m.seq, ${stateThere}, ${codeThere},
         d.is_late, ${bytesThere}
       FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
       WHERE coalesce(m.part, 1) = 1`,
    )
    .raw();
  for (const values of rows.iterate(destination)) {
    const [conversation, sender, sentAt, verdict, reason, facts, seq, state, code, isLate, bytes] = values;
    visit({ conversation, sender, sentAt, verdict, reason, facts, seq, state, code, isLate, bytes });
  }
}

type MessageValues = readonly [
  conversation: MessageFacts['conversation'],
  sender: MessageFacts['sender'],
  sentAt: MessageFacts['sentAt'],
  verdict: MessageFacts['verdict'],
  reason: MessageFacts['reason'],
  facts: MessageFacts['facts'],
  seq: MessageFacts['seq'],
  state: MessageFacts['state'],
  code: MessageFacts['code'],
  isLate: MessageFacts['isLate'],
  bytes: MessageFacts['bytes'],
];

/** Where a message stands in the export, and the words that belong to its verdict or its refusal. */
export function messagePlace(db: Database, destination: number | null) {
  const select = db.prepare<[number | null, number], { path: string; place: string; detail: string | null }>(
    `SELECT f.path, m.place, coalesce(d.detail, m.detail) AS detail FROM message m JOIN source_file f ON f.id = m.file
     LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq WHERE m.seq = ?`,
  );
  return (seq: number) => {
    const { path, place, detail } = select.get(destination, seq)!;
    return { location: printPlace(path, place), detail: detail ?? '' };
  };
}

/** `path:line`, `path#/pointer`, `path:line#/pointer`, or the path alone. */
export function printPlace(path: string, place: string): string {
  if (place === '') return path;
  return place.startsWith('/') ? `${path}#${place}` : `${path}:${place}`;
}
