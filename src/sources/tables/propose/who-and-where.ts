import type { Reading } from '../../source.ts';
import { aliases, columnsNamed } from './aliases.ts';
import { candidatesFor, sampleOf, tellsApart } from './candidates.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct, evidence } from './columns.ts';

const names = aliases.message;

/** Who wrote a message, and where. What no column says for certain is asked. */
export function proposePeople(columns: ColumnChoice): void {
  const conversations = columns.candidates(names.conversation);
  const author = proposeAuthor(columns);
  const isNamedAlone = columns.draft.at('messages.author') === undefined && !author;
  // A name beside nobody's id would become the id itself: that is one of the answers, never taken by itself.
  if (!isNamedAlone) columns.choose('messages.authorName', columns.candidates(names.authorName));
  proposeConversation(columns, conversations, author);
}

/** @returns The column, where it is certain. */
function proposeAuthor(columns: ColumnChoice): ColumnProfile | undefined {
  const { draft } = columns;
  const isSaid = ['messages.author', 'messages.authorName', 'messages.conversation.between'].some(
    (key) => draft.at(key) !== undefined,
  );
  if (isSaid) return undefined;
  const [author, ...others] = columns.candidates(names.author);
  if (!author || !tellsApart(author)) {
    draft.choose('messages.author', {
      because: author ? `${sampleOf(author)}: that does not name everybody` : 'no column is named like an author',
      alternatives: [
        ...directionsFor(columns),
        ...candidatesFor('author', columns),
        lastResort('unknown', 'if nobody is to be told apart: one author for all'),
      ],
      isRequired: true,
    });
    return undefined;
  }
  columns.use(author.name);
  const alternatives = others.filter(
    ({ name }) => /id$/i.test(name) === /id$/i.test(author.name) && !/name|mail/i.test(name),
  );
  draft.choose('messages.author', {
    value: author.name,
    because: evidence(author),
    alternatives: alternatives.map((profile) => ({ value: profile.name, because: evidence(profile) })),
  });
  return author;
}

/** Words for what went out and what came in, whole or as a part of such words as `outbound-api`. */
const outWords =
  /^(?:out|outgoing|sent|send|agent|operator|admin|staff|support|assistant|bot|employee|mt|from_me|ausgehend|gesendet|mitarbeiter)/i;
const inWords =
  /^(?:in$|in[^a-z]|inbound|incoming|received?|customer|client|user|contact|visitor|guest|caller|mo$|to_me|eingehend|empfangen|kunde)/i;

const ourNames = /agent|operator|employee|staff|assignee|assigned|support|bearbeiter|mitarbeiter|owner|our/i;
const theirNames = /cust|client|contact|visitor|guest|caller|phone|number|kunde|lead|patient|their/i;

/** Who wrote, where a column says in or out: together with the columns of the two people of the conversation. */
function directionsFor(columns: ColumnChoice): readonly Reading[] {
  const people = candidatesFor('author', columns);
  return columns.names
    .filter((name) => !columns.isUsed(name))
    .map((name) => columns.profile(name))
    .flatMap((profile): Reading[] => {
      const sides = sidesOf(profile);
      if (!sides) return [];
      const column = (names: RegExp) =>
        people.find(({ value }) => value !== profile.name && names.test(String(value)))?.value;
      const us = column(ourNames) ?? { constant: 'support' };
      const them = column(theirNames);
      if (them === undefined) return [];
      const shown = `${sides.ours.join(', ')}: ${nameOf(us)}; ${sides.theirs.join(', ')}: ${nameOf(them)}`;
      return [
        {
          value: { direction: profile.name, ...sides, us, them },
          because: `"${profile.name}" says which of the two wrote (${shown}), in ${count(profile.texts.length)} of ${count(profile.rowCount)} rows`,
        },
      ];
    });
}

/** The words of each side, where every word of a column is of one, and nearly every row has it. */
function sidesOf(profile: ColumnProfile): { readonly ours: string[]; readonly theirs: string[] } | undefined {
  const words = distinct(profile);
  if (words.length < 2 || words.length > 6 || profile.texts.length < profile.rowCount * 0.9) return undefined;
  const ours = words.filter((word) => outWords.test(word));
  const theirs = words.filter((word) => inWords.test(word) && !outWords.test(word));
  const isWhole = ours.length + theirs.length === words.length && ours.length > 0 && theirs.length > 0;
  return isWhole ? { ours, theirs } : undefined;
}

const nameOf = (reading: unknown): string => (typeof reading === 'string' ? `"${reading}"` : 'support');

const lastResort = (constant: string, because: string): Reading => ({
  value: { constant },
  because,
  isLastResort: true,
});

const key = 'messages.conversation';

function proposeConversation(
  columns: ColumnChoice,
  candidates: readonly ColumnProfile[],
  author: ColumnProfile | undefined,
): void {
  if (columns.draft.at(key) !== undefined) return;
  const [best, ...others] = candidates.filter(({ name }) => name !== author?.name);
  const pair = pairOf(columns, author);
  if (best && tellsApart(best)) {
    columns.use(best.name);
    const isSameThing = ({ name }: ColumnProfile) => columnsNamed([name], names.conversationName).length > 0;
    columns.draft.choose(key, {
      value: best.name,
      because: `${evidence(best)}; ${count(distinct(best).length)} different ones`,
      alternatives: others
        .filter((profile) => !isSameThing(profile))
        .map((profile) => ({ value: profile.name, because: evidence(profile) })),
      isRequired: true,
    });
    columns.choose('messages.conversationName', columns.candidates(names.conversationName));
    return;
  }
  const readings = candidatesFor('conversation', columns).filter(({ value }) => value !== pair?.recipient);
  if (pair?.isWhole && !readings.some(({ isNamedSo }) => isNamedSo)) {
    choosePair(columns, pair);
    return;
  }
  columns.draft.choose(key, {
    because: best ? `${sampleOf(best)}: that does not place every row` : 'no column is named like a conversation',
    alternatives: [
      ...readings.filter(({ isNamedSo }) => isNamedSo),
      ...bothOf(columns.draft.at('messages.author')),
      ...(pair ? [{ value: pair.value, because: pair.because }, ...pair.alternatives] : []),
      ...readings.filter(({ isNamedSo }) => !isNamedSo),
      lastResort('general', 'if all messages belong to one conversation'),
    ],
    isRequired: true,
  });
}

/** The two people of whom a direction says which wrote. */
function bothOf(author: unknown): readonly Reading[] {
  if (typeof author !== 'object' || author === null || !('us' in author && 'them' in author)) return [];
  return [{ value: { between: [author.us, author.them] }, because: 'the two people of whom one wrote' }];
}

/** Sender and recipient as the two people of a direct conversation. */
interface Pair extends Reading {
  readonly recipient: string;
  /** Whether nearly every row names both. */
  readonly isWhole: boolean;
  readonly alternatives: readonly Reading[];
}

function pairOf(columns: ColumnChoice, author: ColumnProfile | undefined): Pair | undefined {
  const [recipient] = columns.candidates(names.recipient);
  const sender = author?.name ?? columns.draft.at('messages.author');
  if (!recipient || typeof sender !== 'string') return undefined;
  const senders = columns.profile(sender);
  const shared = new Set(senders.texts);
  const known = distinct(recipient).filter((id) => shared.has(id)).length;
  const rows = Math.min(senders.texts.length, recipient.texts.length);
  const isWhole = rows >= recipient.rowCount * 0.98;
  const lacking = isWhole ? '' : `; only ${count(rows)} of ${count(recipient.rowCount)} rows name both`;
  return {
    recipient: recipient.name,
    isWhole,
    value: { between: [sender, recipient.name] },
    because: `"${sender}" and "${recipient.name}"; ${count(known)} of ${count(distinct(recipient).length)} recipients write too${lacking}`,
    alternatives:
      known > 0 ? [] : [{ value: recipient.name, because: 'none of the recipients writes: they may be rooms' }],
  };
}

function choosePair(columns: ColumnChoice, { recipient, value, because, alternatives }: Pair): void {
  columns.use(recipient);
  columns.draft.choose(key, { value, because, alternatives, isRequired: true });
}
