import { textOf } from '../bind/value.ts';
import { aliases } from './aliases.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct, evidence, mostly } from './columns.ts';
import { proposeFiles } from './files.ts';
import { proposeVisibility } from './visibility.ts';

const names = aliases.message;

/** What a message may have besides author, time and text. */
export function proposeDetails(columns: ColumnChoice): void {
  columns.choose('messages.deleted', columns.candidates(names.deleted));
  proposeVisibility(columns);
  kind(columns);
  platformLines(columns);
  marks(columns);
  proposeFiles(columns);
}

function kind(columns: ColumnChoice): void {
  const [best] = columns.candidates(names.kind, (profile) => distinct(profile).length <= 20);
  if (!best || columns.draft.at('messages.kind') !== undefined) return;
  columns.use(best.name);
  const values = Object.fromEntries(distinct(best).map((word) => [word, kindOf(word)]));
  const words = distinct(best)
    .map((word) => JSON.stringify(word))
    .join(', ');
  columns.draft.choose('messages.kind', {
    value: { from: best.name, values, otherwise: 'message' },
    because: `"${best.name}" holds ${words}`,
  });
}

/** Texts of the platform's own among those of people: who came, who left. */
const platformLine = new RegExp(
  [
    '^(?:\\S+ ){0,4}(?:has )?(?:joined|left|entered)(?: (?:the|this))? (?:room|chat|group|channel|conversation|call|meeting)$',
    '^(?:\\S+ ){0,3}(?:has )?(?:joined|left)$',
    '^(?:\\S+ ){1,4}(?:was|were) (?:added|removed|invited|kicked)(?: (?:to|from) the \\S+)?(?: by \\S+)?$',
    '^(?:\\S+ ){0,4}hat (?:die|den|das) (?:Gruppe|Chat|Raum|Kanal|Gespräch) (?:verlassen|betreten)$',
    '^(?:\\S+ ){0,4}ist (?:(?:der|dem) (?:Gruppe|Chat|Raum|Kanal) )?beigetreten$',
  ].join('|'),
  'iu',
);
const linesMax = 50;

/** Where no column says what a row is: lines such as "left the room" are asked about, for somebody may have written them. */
function platformLines(columns: ColumnChoice): void {
  const { draft } = columns;
  const text = draft.at('messages.text');
  const name = typeof text === 'string' ? text : draft.at('messages.text.from');
  if (typeof name !== 'string' || draft.at('messages.kind') !== undefined) return;
  const profile = columns.profile(name);
  const isLine = (line: string) => line.length <= 100 && platformLine.test(line.replace(/[.!]$/, ''));
  const lines = distinct(profile).filter(isLine).slice(0, linesMax);
  if (lines.length === 0) return;
  const rows = profile.texts.filter((line) => lines.includes(line)).length;
  draft.choose('messages.kind', {
    value: { from: name, values: Object.fromEntries(lines.map((line) => [line, 'system'])), otherwise: 'message' },
    because: `${count(rows)} of ${count(profile.rowCount)} rows say who came or left, as the platform does: ${JSON.stringify(lines[0])}`,
    alternatives: [{ value: { constant: 'message' }, because: 'people wrote them' }],
  });
}

function marks(columns: ColumnChoice): void {
  columns.choose('messages.reply', columns.candidates(names.reply));
  columns.choose('messages.quote', columns.candidates(names.quote));
  columns.choose(
    'messages.edited',
    columns.candidates(names.edited, (profile) => isEditMark(columns, profile)),
  );
  columns.choose('messages.pinned', columns.candidates(names.pinned));
  if (columns.draft.at('messages.reactions') !== undefined) return;
  const [reactions] = columns.candidates(names.reactionList);
  if (!reactions) {
    oneReaction(columns);
    return;
  }
  const isObjects = reactions.texts.some((text) => /"(?:emoji|name|type|reaction)"\s*:/.test(text));
  const emoji = /"(emoji|reaction|name|type)"\s*:/.exec(reactions.texts.join('\n'))?.[1];
  columns.draft.choose('messages.reactions', {
    value: { list: reactions.name, ...(isObjects && { emoji }) },
    because: evidence(reactions),
  });
}

/**
 * A time that every row has is when the database last touched it, and marks everything as edited; unless most rows say by it
 * that nothing happened since they were sent.
 */
function isEditMark({ rows, draft }: ColumnChoice, profile: ColumnProfile): boolean {
  const isTime = mostly(profile, (text) => text.replace(/\D/g, '').length >= 8);
  if (!isTime || profile.texts.length < profile.rowCount) return true;
  const time = draft.at('messages.time');
  const sent = typeof time === 'string' ? time : draft.at('messages.time.from');
  if (typeof sent !== 'string') return false;
  const same = rows.filter((row) => textOf(row.get(profile.name)) === textOf(row.get(sent))).length;
  return same * 2 >= rows.length;
}

/** A row that holds one emoji, and perhaps whose it is. */
function oneReaction(columns: ColumnChoice): void {
  const [emoji] = columns.candidates(names.reaction, (profile) => mostly(profile, (text) => text.length <= 32));
  if (!emoji) return;
  columns.use(emoji.name);
  const [users] = columns.candidates(names.reactionUser);
  if (users) columns.use(users.name);
  columns.draft.choose('messages.reactions', {
    value: { emoji: emoji.name, ...(users && { users: users.name }) },
    because: users ? `${evidence(emoji)}; "${users.name}" says whose` : evidence(emoji),
  });
}

function kindOf(word: string): string {
  if (/call|huddle/i.test(word)) return 'call';
  return /system|join|leave|left|event|notification|^s$/i.test(word) ? 'system' : 'message';
}
