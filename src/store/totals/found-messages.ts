import type { Database } from 'better-sqlite3';
import { printPlace } from '../base/message-facts.ts';
import type { ConversationRecord } from '../../model/records.ts';
import type { MessageStory } from './explain-message.ts';

/** A message of the plan, and where it was read. */
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

/** Rows among which they are looked for: a look at three messages must not read millions. */
const scannedMax = 200_000;

const conditions: Readonly<Record<FoundSubjects['about'], string>> = {
  location: `m.verdict = 'planned' AND m.place <> ''
    AND f.path || iif(m.place LIKE '/%', '#', ':') || m.place IN (SELECT value FROM json_each(@list))`,
  sender: `m.verdict = 'planned' AND m.sender IN (SELECT value FROM json_each(@list))`,
  conversation: `m.verdict = 'planned' AND m.conversation IN (SELECT value FROM json_each(@list))`,
  file: `m.verdict = 'planned' AND m.file IN (SELECT file FROM problem WHERE code = @list)`,
  invalid: `m.verdict = 'invalid' AND m.reason = @list`,
  fact: `m.verdict <> 'duplicate' AND m.facts ->> @list IS NOT NULL`,
  'planned fact': `m.verdict = 'planned' AND m.facts ->> @list IS NOT NULL`,
};

/** Returns messages that findings concern, among the first 200,000 of the plan: of different people or conversations as far as there are. */
export function messagesFound(db: Database, subjects: FoundSubjects, max: number): FoundMessage[] {
  const rows = db.prepare<[{ list: string }], FoundRow>(
    `SELECT m.muid, i.path AS input, i.source AS inputSource, f.path, m.place, m.sender, m.conversation, m.detail,
       m.facts ->> 'internal' IS NOT NULL OR m.facts ->> 'deleted' IS NOT NULL AS isForFew
     FROM message m JOIN source_file f ON f.id = m.file JOIN source_input i ON i.id = f.input
     WHERE m.seq < (SELECT coalesce(min(seq), 0) + ${scannedMax} FROM message) AND m.follows IS NULL AND m.vanished = 0
       AND coalesce(m.part, 1) = 1 AND ${conditions[subjects.about]} ORDER BY m.seq`,
  );
  const found: FoundMessage[] = [];
  const others: FoundMessage[] = [];
  const seen = new Set<number | null>();
  for (const { place, isForFew, ...row } of rows.iterate({ list: listOf(subjects) })) {
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

type FoundRow = Omit<FoundMessage, 'location' | 'isForFew'> & { readonly place: string; readonly isForFew: 0 | 1 };

const listOf = (subjects: FoundSubjects): string => {
  if ('code' in subjects) return subjects.code;
  if ('fact' in subjects) return subjects.fact;
  return JSON.stringify('ids' in subjects ? subjects.ids : subjects.locations);
};

/** The first findings of a code that are kept one by one. */
export const findingsOf = (
  db: Database,
  code: string,
  max: number,
): { readonly location: string; readonly reason: string }[] =>
  db
    .prepare<[string, number], { location: string; reason: string }>(
      'SELECT place AS location, reason FROM problem WHERE code = ? AND count = 1 ORDER BY id LIMIT ?',
    )
    .all(code, max);

/** Returns a conversation as the plan has it, by its id in the store. */
export function storedConversation(db: Database, id: number): ConversationRecord | undefined {
  const record = db.prepare<[number], string>('SELECT record FROM conversation WHERE id = ?').pluck().get(id);
  return record === undefined ? undefined : (JSON.parse(record) as ConversationRecord);
}
