import type { Reading } from '../../../table-source.ts';
import { isMediaType } from '../../../../lib/files/file-types.ts';
import { aliases } from '../aliases.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct, showValue, wordFor } from '../columns.ts';
import { countRows, isCode, meaningOfWords, repeats, valuesMax } from '../which-rows.ts';
import { splitWords } from '../../../../model/visibility-words.ts';
import { valueText } from '../../bind/value.ts';
import type { Row } from '../../row.ts';

type Kind = 'message' | 'system' | 'call';

/** Words that mean one thing: what people send, what the platform says, calls. Any other is asked about. */
const known = meaningOfWords<Kind>({
  message:
    'message msg sent posted text chat user normal default regular plain standard comment reply post image picture photo img file attachment document doc audio voice video sticker gif location contact media link emoji mixed rich html markdown incoming outgoing inbound outbound in out sms mms email nachricht bild datei customer client agent visitor operator contact guest member staff',
  system: 'system sys join joined leave left service info activity event notice notification system_message',
  call: 'call call_log voice_call video_call',
});

/** Returns the meaning of a value made of known words, or of a class by the last word of its name; undefined for codes. */
function findMeaning(word: string): Kind | undefined {
  const words = splitWords(word).slice(/::|\\/.test(word) ? -1 : 0);
  const whole = known.get(words.join('_'));
  if (whole !== undefined || words.length === 1) return whole;
  // `system_join_channel`, `discussion_renamed`, `text_message`.
  return known.get(words[0]!) === 'system' || eventWords.test(words.at(-1)!)
    ? 'system'
    : words.every((one) => known.get(one) === 'message')
      ? 'message'
      : undefined;
}

/** Events of a conversation and its people, as the platform names them. */
const eventWords =
  /^(?:joined|left|renamed|added|removed|invited|kicked|banned|unbanned|assigned|unassigned|closed|reopened|locked|unlocked|pinned|unpinned|archived|merged|muted)$/;

/** The platform wrote the rows with some values of a column, and people the others. */
export const platformWrote = (from: string, values: readonly string[]) => ({
  from,
  values: Object.fromEntries(values.map((value) => [value, 'system'])),
  otherwise: 'message',
});

/** The column that says who wrote, and of some rows that it was the system: `sender_type`. */
export const systemIn = (columns: ColumnChoice) =>
  columns.names
    .filter((name) => /(?:sender|author|user|from|writer)_?(?:type|kind|role)$/i.test(name))
    .map((name) => columns.profile(name))
    .map((profile) => ({ profile, all: distinct(profile), words: distinct(profile).filter(isSystem(profile)) }))
    .find(({ all, words }) => all.length <= 10 && words.length > 0 && words.length < all.length);

const isSystem = (profile: ColumnProfile) => (word: string) => /^(?:system|platform)$/i.test(wordFor(profile, word));

/** Whether the rows of the system are those without an author. */
export function isSystemAlone(columns: ColumnChoice, author: string | undefined): boolean {
  const found = systemIn(columns);
  if (!found || author === undefined) return false;
  const text = (row: Row, name: string) => valueText(row.get(name))?.trim() ?? '';
  return columns.rows.every(
    (row) => ['', ...columns.nulls].includes(text(row, author)) === found.words.includes(text(row, found.profile.name)),
  );
}

/** @param ofPlatform A word that stands for lines of the platform, whatever the others stand for. */
type ValueWith = (other: Kind, ofPlatform?: string) => object;

/** A longer text names no kind. */
const wordLengthMax = 100;

/** Words that are tried one by one. */
const splitMax = 4;

/** Returns readings by which the platform wrote the rows with one of the words, and people those with the others. */
function splits(words: readonly string[], valueWith: ValueWith, profile: ColumnProfile): readonly Reading[] {
  if (words.length < 2 || words.length > splitMax) return [];
  const rows = countRows(profile);
  const rareFirst = words.toSorted((a, b) => (rows.get(a) ?? 0) - (rows.get(b) ?? 0));
  return rareFirst.map((word) => ({
    value: valueWith('message', word),
    because: `the platform wrote those with ${showValue(profile, word)}, people the others`,
  }));
}

/** Whether rows with a word are about to be left out. */
const isLeftOut = ({ draft: { findings } }: ColumnChoice, name: string, word: string): boolean =>
  findings.some(({ key, value }) => {
    const passing = key === 'messages.only' && (value as Readonly<Record<string, unknown>>)[name];
    return Array.isArray(passing) && !passing.includes(word);
  });

/** Proposes whether a row is a message, a line of the platform or a call. Asks about numbers and words with no general meaning. */
export function proposeKind(columns: ColumnChoice): void {
  // Media types say what a file is; numbers and letters are asked about with the other codes.
  const isKind = (profile: ColumnProfile) =>
    !profile.name.startsWith('$outer.') &&
    repeats(profile, 3) &&
    distinct(profile).every((text) => text.length <= wordLengthMax) &&
    !profile.texts.some(isMediaType) &&
    (profile.words !== undefined || !profile.texts.every((text) => /^-?\d+$/.test(text) || isCode(text)));
  const [best] = columns.candidates(`${aliases.message.kind} messagetypeid msgtypeid typeid kindid`, isKind);
  if (!best || columns.draft.at('messages.kind') !== undefined) return;
  columns.use(best.name);
  const words = distinct(best);
  const all = [...new Set([...words, ...(best.allowed ?? [])])];
  const found = all.map((word) => [word, findMeaning(wordFor(best, word))] as const);
  const unknown = found.flatMap(([word, kind]) =>
    kind === undefined && words.includes(word) && !isLeftOut(columns, best.name, word) ? [word] : [],
  );
  const valueWith: ValueWith = (other, ofPlatform = '') => ({
    from: best.name,
    values: Object.fromEntries(found.map(([word, kind]) => [word, kind ?? (word === ofPlatform ? 'system' : other)])),
    otherwise: 'message',
  });
  const more = words.length > valuesMax ? `, … (${count(words.length)} words)` : '';
  const shown = `${words
    .slice(0, valuesMax)
    .map((word) => showValue(best, word))
    .join(', ')}${more}`;
  if (unknown.length === 0) {
    columns.draft.choose('messages.kind', { value: valueWith('message'), because: `"${best.name}" holds ${shown}` });
    return;
  }
  const rows = best.texts.filter((text) => unknown.includes(text)).length;
  const others = unknown
    .slice(0, 5)
    .map((word) => showValue(best, word))
    .join(', ');
  columns.draft.choose('messages.kind', {
    because: `"${best.name}" holds ${shown}: are the ${count(rows)} rows with ${others} messages of people?`,
    alternatives: [
      // Cautious ones first: rare words are those of the platform rather than the common ones.
      ...splits(unknown, valueWith, best),
      { value: valueWith('system'), because: 'the platform wrote them: such lines are skipped' },
      { value: valueWith('message'), because: 'people wrote them' },
    ],
    isRequired: true,
  });
}
