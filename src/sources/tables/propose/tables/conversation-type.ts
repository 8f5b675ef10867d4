import { aliases, withNames } from '../aliases.ts';
import { type ColumnProfile, count, distinct, type Draft, isFlag } from '../columns.ts';
import type { Reading } from '../../../table-source.ts';
import type { TableFacts } from '../graph/facts.ts';
import { readFlag, splitWords } from '../../../../model/visibility-words.ts';
import { meaningOfWords, repeats } from '../which-rows.ts';

const key = 'conversations.type';

/**
 * Who may see a conversation. Words that mean one thing are taken, and pairs of people are direct; anything else is asked, because a
 * private room that is called public is seen by all.
 */
export function proposeConversationType(table: TableFacts, draft: Draft): void {
  if (draft.at(key) !== undefined) return;
  const profiles = table.columns.map(({ profile }) => profile);
  const flags = profiles.filter(({ name, texts }) => texts.length > 0 && flagMeaning(name) !== undefined);
  const direct = flags.find(({ name }) => flagMeaning(name)![0] === 'direct');
  const other = flags.find((profile) => profile !== direct);
  const named = withNames(profiles, `${aliases.conversation.type} ${typeNames}`);
  const typed = profiles.find(
    (profile) => named.includes(profile) && !flags.includes(profile) && profile.texts.length > 0 && repeats(profile),
  );
  if (typed) chooseByWords(typed, draft);
  else if (direct && other && isFlag(direct) && isFlag(other)) chooseByTwo(direct, other, draft);
  else if (direct ?? other) chooseByFlag((direct ?? other)!, draft);
}

const typeNames = 'privacy access accesslevel chattype threadtype dialogtype grouptype';

/** Words that are named in a question. */
const shownMax = 10;

function chooseByWords(profile: ColumnProfile, draft: Draft): void {
  const words = distinct(profile);
  const known = words.map((word) => [word, findMeaning(word)] as const);
  const shown = `${words
    .slice(0, shownMax)
    .map((word) => JSON.stringify(word))
    .join(', ')}${words.length > shownMax ? ` and ${count(words.length - shownMax)} more` : ''}`;
  const isKnown = known.every(([, meaning]) => meaning !== undefined);
  const values = Object.fromEntries(known.map(([word, meaning]) => [word, meaning ?? guessMeaning(word)]));
  const isSame = Object.entries(values).every(([word, meaning]) => word === meaning);
  const value = isSame ? profile.name : { from: profile.name, values };
  const seen = { profile, because: `"${profile.name}" holds ${shown}`, isCertain: isKnown };
  choose(
    seen,
    value,
    { guess: value, meanings: Object.values(values), because: 'by the likely meaning of the words' },
    draft,
  );
}

/** Takes what is certain of every row, and asks else. */
function choose(
  {
    profile,
    because,
    isCertain,
  }: { readonly profile: ColumnProfile; readonly because: string; readonly isCertain: boolean },
  value: unknown,
  likely: { readonly guess: unknown; readonly meanings: readonly Meaning[]; readonly because: string },
  draft: Draft,
): void {
  const none = profile.rowCount - profile.texts.length;
  if (isCertain && none === 0) draft.choose(key, { value, because });
  else
    draft.choose(key, {
      because: `${because}${none === 0 ? '' : `; ${count(none)} rows have none`}: who may see which?`,
      alternatives: cautiousFirst(likely.guess, likely.meanings, likely.because),
      isRequired: true,
    });
}

/** A guess that shows something to everybody comes behind that members alone see it. */
function cautiousFirst(value: unknown, meanings: readonly Meaning[], because: string): readonly Reading[] {
  const closed = { value: { constant: 'private' }, because: 'members alone see them' };
  if (meanings.every((meaning) => meaning === 'private')) return [closed];
  return meanings.includes('public') ? [closed, { value, because }] : [{ value, because }, closed];
}

type Meaning = 'direct' | 'group-direct' | 'private' | 'public';

/** Words that mean one thing everywhere. */
const meanings = meaningOfWords<Meaning>({
  direct: 'direct dm im directmessage onetoone oneonone',
  'group-direct': 'groupdirect groupdm mpim',
  private: 'private group groupchat',
  public: 'public',
});

const findMeaning = (word: string): Meaning | undefined => meanings.get(splitWords(word).join(''));

/** Guesses the meaning of a word. The guess is offered, never applied. */
function guessMeaning(word: string): Meaning {
  const words = splitWords(word);
  if (words.some((one) => /^(?:d|dm|im|direct|single|personal|self|notes)$/.test(one))) return 'direct';
  return /^(?:public|open|channel|c|o)$/.test(words.at(-1) ?? '') ? 'public' : 'private';
}

/** Returns what yes and no mean in a column of this name. */
function flagMeaning(name: string): readonly [yes: Meaning, no: Meaning, isCertain: boolean] | undefined {
  const plain = splitWords(name)
    .filter((word) => word !== 'is')
    .join('');
  if (plain === 'public') return ['public', 'private', true];
  if (plain === 'private') return ['private', 'public', false];
  if (/^(?:open|closed)$/.test(plain))
    return plain === 'open' ? ['public', 'private', false] : ['private', 'public', false];
  if (/^(?:direct|dm|directmessage|onetoone)$/.test(plain)) return ['direct', 'private', true];
  return /^(?:group|groupchat)$/.test(plain) ? ['private', 'direct', false] : undefined;
}

/** One column says which are direct, another who sees the others. */
function chooseByTwo(direct: ColumnProfile, other: ColumnProfile, draft: Draft): void {
  const certain = readValues(direct);
  // A direct one is what the first says; an empty text lets the second say it.
  const open = Object.fromEntries(
    Object.entries(certain).map(([word, meaning]) => [word, meaning === 'direct' ? meaning : '']),
  );
  draft.choose(key, {
    because: `"${direct.name}" says which are direct, and "${other.name}" is ${distinct(other).join(' or ')}: who may see the others?`,
    alternatives: [
      { value: { from: direct.name, values: certain }, because: 'members alone see them' },
      {
        value: {
          first: [
            { from: direct.name, values: open },
            { from: other.name, values: readValues(other) },
          ],
        },
        because: 'by the likely meaning of the names',
      },
    ],
    isRequired: true,
  });
}

function readValues(profile: ColumnProfile): Readonly<Record<string, Meaning>> {
  const [yes, no] = flagMeaning(profile.name)!;
  return Object.fromEntries(distinct(profile).map((word) => [word, readFlag(word) ? yes : no]));
}

function chooseByFlag(profile: ColumnProfile, draft: Draft): void {
  const [, no, isCertain] = flagMeaning(profile.name)!;
  const words = distinct(profile);
  if (!isFlag(profile)) return;
  const value = { from: profile.name, values: readValues(profile) };
  const seen = { profile, because: `"${profile.name}" is ${words.join(' or ')}`, isCertain };
  const meanings = Object.values(value.values);
  const guess = { ...value, otherwise: no };
  choose(seen, value, { guess, meanings, because: 'by the likely meaning of the name' }, draft);
}
