import { aliases } from '../aliases.ts';
import { type ColumnChoice, count, distinct, evidence, mostly, showValue } from '../columns.ts';
import { proposeFiles } from './files.ts';
import { proposeEdited, proposeLinks, proposePinned } from '../visible/marks.ts';
import { isCode } from '../which-rows.ts';
import { valueText } from '../../bind/value.ts';
import { isSystemAlone, platformWrote, proposeKind, systemIn } from './kind.ts';
import { proposeVisibility } from '../visible/visibility.ts';

const names = aliases.message;

/** Proposes the parts of a message other than author, time and text. */
export function proposeDetails(columns: ColumnChoice): void {
  columns.choose('messages.deleted', columns.candidatesInside(names.deleted));
  proposeVisibility(columns);
  proposeKind(columns);
  linesOfSystem(columns);
  platformLines(columns);
  marks(columns);
  proposeFiles(columns);
}

/** Rows of the system as another column says it: a question, unless these are the rows without an author. */
function linesOfSystem(columns: ColumnChoice): void {
  const { draft } = columns;
  const found = systemIn(columns);
  if (draft.has('messages.kind') || !found) return;
  const { profile, words } = found;
  const rows = profile.texts.filter((word) => words.includes(word)).length;
  const shown = words.map((word) => showValue(profile, word)).join(' or ');
  const because = `"${profile.name}" is ${shown} in ${count(rows)} of ${count(profile.rowCount)} rows`;
  const ofPlatform = {
    value: platformWrote(profile.name, words),
    because: 'the platform wrote them: such lines are skipped',
  };
  const ofPeople = { value: { constant: 'message' }, because: 'people wrote them' };
  const isSure = isSystemAlone(columns, draft.columnAt('messages.author'));
  draft.choose(
    'messages.kind',
    isSure ? { ...ofPlatform, because } : { because, alternatives: [ofPlatform, ofPeople], isRequired: true },
  );
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

/** Asks about lines such as "left the room" if no column shows the kind of a row, because people may have written them. */
function platformLines(columns: ColumnChoice): void {
  const { draft } = columns;
  const name = draft.columnAt('messages.text');
  if (name === undefined || draft.has('messages.kind')) return;
  const profile = columns.profile(name);
  const isLine = (line: string) => line.length <= 100 && platformLine.test(line.replace(/[.!]$/, ''));
  const lines = distinct(profile).filter(isLine).slice(0, linesMax);
  if (lines.length === 0) return;
  const rows = profile.texts.filter((line) => lines.includes(line)).length;
  const code = codeOfLines(columns, name, lines);
  if (code) columns.use(code.from);
  draft.choose('messages.kind', {
    value: code ?? platformWrote(name, lines),
    because: `${count(rows)} of ${count(profile.rowCount)} rows say who came or left, as the platform does: ${JSON.stringify(lines[0])}`,
    alternatives: [{ value: { constant: 'message' }, because: 'people wrote them' }],
  });
}

/** A column of codes of which one is that of all these lines, and of no other row. */
function codeOfLines(columns: ColumnChoice, text: string, lines: readonly string[]) {
  const isLine = columns.rows.map((row) => lines.includes(valueText(row.get(text))?.trim() ?? ''));
  for (const name of columns.names.filter((one) => one !== text && !columns.isUsed(one))) {
    const values = columns.rows.map((row) => valueText(row.get(name)) ?? '');
    const code = values[isLine.indexOf(true)]!;
    const isOther = values.some((value) => value !== code && isCode(value));
    if (isCode(code) && isOther && values.every((value, index) => (value === code) === isLine[index]))
      return platformWrote(name, [code]);
  }
  return undefined;
}

function marks(columns: ColumnChoice): void {
  proposeLinks(columns);
  proposeEdited(columns);
  proposePinned(columns);
  if (columns.draft.at('messages.reactions') !== undefined) return;
  const [reactions] = columns.candidates(names.reactionList);
  if (!reactions) {
    oneReaction(columns);
    return;
  }
  // Numbers for a program's own reactions: only that program knows which emoji they are.
  if (reactions.texts.every((text) => /^[\s\d":,{}[\]]+$/.test(text) || text.startsWith('\\x'))) return;
  const isObjects = reactions.texts.some((text) => /"(?:emoji|name|type|reaction)"\s*:/.test(text));
  const emoji = /"(emoji|reaction|name|type)"\s*:/.exec(reactions.texts.join('\n'))?.[1];
  columns.draft.choose('messages.reactions', {
    value: { list: reactions.name, ...(isObjects && { emoji }) },
    because: evidence(reactions),
  });
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
    because: users ? `${evidence(emoji)}; "${users.name}" names the person` : evidence(emoji),
  });
}
