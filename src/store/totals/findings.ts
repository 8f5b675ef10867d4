import type { Database } from 'better-sqlite3';
import { printPlace } from '../../lib/text/location.ts';
import { lateStatements, sql, value, withStatements } from '../base/statements.ts';
import type { Explanations } from './explain.ts';

type MessageStory = ReturnType<Explanations['explain']>[number];

export interface FoundMessage
  extends Pick<MessageStory, 'muid' | 'input' | 'inputSource' | 'path' | 'location' | 'detail'> {
  /** Ids in the store. */
  readonly sender: number | null;
  readonly conversation: number | null;
  /** Whether few could read it in the old system: an internal message, or a deleted one. */
  readonly isForFew: boolean;
}

/** The subjects of findings: locations as they are printed, or ids in the store; messages that are invalid by a code, or have a fact. */
export type FoundSubjects =
  | { readonly about: 'location'; readonly locations: readonly string[] }
  | { readonly about: 'sender' | 'conversation'; readonly ids: readonly number[] }
  | { readonly about: 'file' | 'invalid'; readonly code: string }
  | { readonly about: 'fact' | 'planned fact'; readonly fact: string };

type FoundRow = Omit<FoundMessage, 'location' | 'isForFew'> & { readonly place: string; readonly isForFew: 0 | 1 };

/** A row of the export that cannot be sent or was refused, or what a check or a comparison found: to be listed one by one. */
export interface ListedFinding {
  readonly code: string;
  /** More than 1: further findings of its file, which are only counted. */
  readonly count: number;
  readonly location: string;
  readonly conversation: string;
  /** Empty if it is not about one message. */
  readonly muid: string;
  readonly detail: string;
}

/** Something that did not go as it should: of a place of the export, of a request, or of a message. */
export interface NewestProblem {
  readonly of: 'export' | 'request' | 'message';
  /** Number of a request, as in `batch 7, attempt 2`. */
  readonly place: string;
  /** A check's, or what the service answered with. */
  readonly code: string;
  readonly detail: string;
  /** When a request ended. */
  readonly atMs: number | null;
}

/** How far back requests and rows are looked through: what went wrong earlier is no news. */
const batchesMax = 200;
const rowsMax = 20_000;

interface RowFound {
  readonly path: string;
  readonly place: string;
  readonly code: string | null;
  readonly detail: string | null;
}

const newestOf = (of: NewestProblem['of'], { path, place, code, detail }: RowFound): NewestProblem => ({
  of,
  place: printPlace(path, place),
  code: code ?? '',
  detail: detail ?? '',
  atMs: null,
});

/** Rows among which they are looked for: a look at three messages must not read millions. */
const scannedMax = 200_000;

const conditions = {
  location: `m.verdict = 'planned' AND m.place <> ''
    AND f.path || iif(m.place LIKE '/%', '#', ':') || m.place IN (SELECT value FROM json_each(@list))`,
  sender: `m.verdict = 'planned' AND m.sender IN (SELECT value FROM json_each(@list))`,
  conversation: `m.verdict = 'planned' AND m.conversation IN (SELECT value FROM json_each(@list))`,
  file: `m.verdict = 'planned' AND m.file IN (SELECT file FROM problem WHERE code = @list)`,
  invalid: `m.verdict = 'invalid' AND m.reason = @list`,
  fact: `m.verdict <> 'duplicate' AND m.facts ->> @list IS NOT NULL`,
  'planned fact': `m.verdict = 'planned' AND m.facts ->> @list IS NOT NULL`,
} satisfies Record<FoundSubjects['about'], string>;

const messagesWhere = (about: FoundSubjects['about']) => `
    SELECT m.muid, i.path AS input, i.source AS inputSource, f.path, m.place, m.sender, m.conversation, m.detail,
      coalesce(m.facts ->> 'internal', m.facts ->> 'restricted', m.facts ->> 'deleted') IS NOT NULL AS isForFew
    FROM message m JOIN source_file f ON f.id = m.file JOIN source_input i ON i.id = f.input
    WHERE m.seq < (SELECT coalesce(min(seq), 0) + ${scannedMax} FROM message) AND m.follows IS NULL AND m.vanished = 0
      AND coalesce(m.part, 1) = 1 AND ${conditions[about]} ORDER BY m.seq`;

const messages = lateStatements({
  location: sql<{ list: string }, FoundRow>`${messagesWhere('location')}`,
  sender: sql<{ list: string }, FoundRow>`${messagesWhere('sender')}`,
  conversation: sql<{ list: string }, FoundRow>`${messagesWhere('conversation')}`,
  file: sql<{ list: string }, FoundRow>`${messagesWhere('file')}`,
  invalid: sql<{ list: string }, FoundRow>`${messagesWhere('invalid')}`,
  fact: sql<{ list: string }, FoundRow>`${messagesWhere('fact')}`,
  'planned fact': sql<{ list: string }, FoundRow>`${messagesWhere('planned fact')}`,
});

const statements = lateStatements({
  groups: sql<[], { code: string; count: number }>`
    SELECT code, sum(count) AS count FROM problem GROUP BY code ORDER BY count DESC, code`,
  examples: sql<[code: string, max: number], { location: string; detail: string }>`
    SELECT place AS location, reason AS detail FROM problem
    WHERE code = ? AND (count = 1 OR reason NOT GLOB '[0-9]* more*') ORDER BY count DESC, id LIMIT ?`,
  all: sql<[], Pick<ListedFinding, 'code' | 'count' | 'location' | 'detail'>>`
    SELECT code, count, place AS location, reason AS detail FROM problem ORDER BY id`,
  first: value<[code: string, max: number], string>`
    SELECT place FROM problem WHERE code = ? AND count = 1 ORDER BY id LIMIT ?`,
  placesWith: value<[codes: string, places: string], string>`
    SELECT DISTINCT place FROM problem WHERE code IN (SELECT value FROM json_each(?))
      AND place IN (SELECT value FROM json_each(?))`,
  people: value<[code: string], number>`
    SELECT DISTINCT p.id FROM problem x CROSS JOIN json_each(coalesce(x.about, json_array(x.place))) named
      JOIN person p ON p.source_id = named.value WHERE x.code = ?`,
  conversations: value<[code: string], number>`
    SELECT DISTINCT c.id FROM problem x CROSS JOIN json_each(coalesce(x.about, json_array(x.place))) named
      JOIN conversation c ON c.source_id = named.value WHERE x.code = ?`,
  subjects: value<[code: string, max: number], string>`
    SELECT DISTINCT coalesce(about, json_array(place)) FROM problem WHERE code = ? AND (about IS NOT NULL OR count = 1) LIMIT ?`,
  files: sql<{ code: string }, { files: number; messages: number }>`
    SELECT (SELECT count(DISTINCT coalesce(file, place)) FROM problem WHERE code = @code) AS files,
      (SELECT count(*) FROM message WHERE verdict = 'planned' AND coalesce(part, 1) = 1
        AND file IN (SELECT file FROM problem WHERE code = @code)) AS messages`,
  listing: sql<[code: string], { isEachListed: 0 | 1; isEachElsewhere: 0 | 1 }>`
    SELECT coalesce(max(count), 1) = 1 AS isEachListed, count(DISTINCT place) = coalesce(sum(count), 0) AS isEachElsewhere
    FROM problem WHERE code = ?`,
  newestRequests: sql<[batches: number, max: number], Omit<NewestProblem, 'of'>>`
    SELECT 'batch ' || a.batch || ', attempt ' || a.number AS place, coalesce(a.code, a.status, a.outcome) AS code,
      coalesce(a.detail, '') AS detail, a.ended_at AS atMs
    FROM attempt a WHERE a.batch > (SELECT coalesce(max(id), 0) FROM batch) - ?
      AND a.ended_at IS NOT NULL AND (a.outcome <> 'answered' OR a.status >= 400) ORDER BY a.batch DESC, a.number DESC LIMIT ?`,
  newestMessages: sql<[batches: number, max: number], RowFound>`
    SELECT f.path, m.place, d.code, d.detail FROM batch b CROSS JOIN delivery d ON d.batch = b.id AND d.state = 'failed'
      JOIN message m ON m.seq = d.message JOIN source_file f ON f.id = m.file
    WHERE b.id > (SELECT coalesce(max(id), 0) FROM batch) - ? ORDER BY b.id DESC LIMIT ?`,
  newestInvalid: sql<[rows: number, max: number], RowFound>`
    SELECT f.path, m.place, m.reason AS code, m.detail FROM message m CROSS JOIN source_file f ON f.id = m.file
    WHERE m.seq > (SELECT coalesce(max(seq), 0) FROM message) - ? AND m.verdict = 'invalid' ORDER BY m.seq DESC LIMIT ?`,
  newest: sql<[max: number], { place: string; code: string; detail: string }>`
    SELECT place, code, reason AS detail FROM problem ORDER BY id DESC LIMIT ?`,
});

/** Findings of checks, of which 1,000 of a code are kept; and what hangs on them. */
export class Findings extends withStatements(statements) {
  readonly #messages: ReturnType<typeof messages>;

  constructor(db: Database) {
    super(db);
    this.#messages = messages(db);
  }

  /** By code, most first, with the first few of each. */
  groups(examplesMax: number) {
    const groups = this.sql.groups.all();
    return groups.map((group) => ({ ...group, examples: this.sql.examples.all(group.code, examplesMax) }));
  }

  /** All of them, in reading order. */
  *each(): Generator<ListedFinding> {
    for (const row of this.sql.all.iterate()) yield { ...row, conversation: '', muid: '' };
  }

  /** Locations of the first findings of a code that are kept one by one. */
  locations(code: string, max: number): string[] {
    return this.sql.first.all(code, max);
  }

  /** Those of the places at which a check of one of these codes found something, as far as its findings are kept. */
  placesWith(codes: Iterable<string>, places: readonly string[]): string[] {
    return this.sql.placesWith.all(JSON.stringify([...codes]), JSON.stringify(places));
  }

  /** The place of a finding without a list of ids is the id. */
  people(code: string): IterableIterator<number> {
    return this.sql.people.iterate(code);
  }

  conversations(code: string): IterableIterator<number> {
    return this.sql.conversations.iterate(code);
  }

  /** Ids of the people or conversations that each finding is about, else its place. */
  subjects(code: string, max: number): readonly (readonly string[])[] {
    return this.sql.subjects.all(code, max).map((ids) => JSON.parse(ids) as string[]);
  }

  /** Files in which something was found, and their planned messages. */
  countFiles(code: string): { readonly files: number; readonly messages: number } {
    return this.sql.files.get({ code })!;
  }

  /** Whether the findings of a code are kept one by one, and each at a place of its own. */
  listing(code: string): { readonly isEachListed: boolean; readonly isEachElsewhere: boolean } {
    const { isEachListed, isEachElsewhere } = this.sql.listing.get(code)!;
    return { isEachListed: isEachListed === 1, isEachElsewhere: isEachElsewhere === 1 };
  }

  /** Returns messages that findings concern, among the first 200,000 of the plan: of different people or conversations as far as there are. */
  messages(subjects: FoundSubjects, max: number): FoundMessage[] {
    const found: FoundMessage[] = [];
    const others: FoundMessage[] = [];
    const seen = new Set<number | null>();
    const rows = this.#messages[subjects.about].iterate({ list: listOf(subjects) });
    for (const { place, isForFew, ...row } of rows) {
      const key = subjects.about === 'sender' ? row.sender : row.conversation;
      const isOther = 'ids' in subjects && seen.has(key);
      if (!isOther || others.length < max)
        (isOther ? others : found).push({ ...row, isForFew: isForFew === 1, location: printPlace(row.path, place) });
      seen.add(key);
      if (
        found.length >= max ||
        ('ids' in subjects && seen.size === subjects.ids.length && found.length + others.length >= max)
      )
        break;
    }
    return [...found, ...others].slice(0, max);
  }

  /** The last problems of each kind, the newest first, a few of each. It asks for rows at the ends of tables only: some ms at any size. */
  newest(countMax: number): NewestProblem[] {
    const { newestRequests, newestMessages, newestInvalid, newest } = this.sql;
    return [
      ...newestRequests.all(batchesMax, countMax).map((row) => ({ ...row, of: 'request' as const })),
      ...newestMessages.all(batchesMax, countMax).map((row) => newestOf('message', row)),
      ...newestInvalid.all(rowsMax, countMax).map((row) => newestOf('export', row)),
      ...newest.all(countMax).map((row) => ({ ...row, of: 'export' as const, atMs: null })),
    ];
  }
}

const listOf = (subjects: FoundSubjects): string => {
  if ('code' in subjects) return subjects.code;
  if ('fact' in subjects) return subjects.fact;
  return JSON.stringify('ids' in subjects ? subjects.ids : subjects.locations);
};
