import { aliases, columnsNamed } from './aliases.ts';
import { ColumnChoice, type ColumnProfile, count, distinct, type Draft, evidence, mostly } from './columns.ts';
import { proposeDetails } from './details.ts';
import { proposeTime } from './time.ts';
import type { Row } from '../row.ts';

const names = aliases.message;

/** How the rows of messages would be bound. The order matters: a column that is one thing is no other. */
export function proposeMessages(rows: readonly Row[], draft: Draft, nulls: readonly string[]): void {
  const columns = new ColumnChoice(rows, draft, nulls);
  proposeTime(columns);
  proposeText(columns);
  proposeId(columns);
  proposePeople(columns);
  proposeDetails(columns);
}

function proposeText(columns: ColumnChoice): void {
  const decided = columns.draft.at('messages.text');
  const named = typeof decided === 'string' ? decided : columns.draft.at('messages.text.from');
  const candidates = typeof named === 'string' ? [columns.profile(named)] : columns.candidates(names.text);
  const [best, ...others] = candidates;
  if (!best) {
    const longest = columns.names
      .filter((name) => !columns.isUsed(name))
      .map((name) => columns.profile(name))
      .filter((profile) => mostly(profile, (text) => /\p{L}/u.test(text)) && averageLength(profile) > 12)
      .sort((a, b) => averageLength(b) - averageLength(a));
    const alternatives = longest.slice(0, 5).map((profile) => ({ value: profile.name, because: evidence(profile) }));
    columns.draft.choose('messages.text.from', {
      because: 'no column is named like a text',
      alternatives,
      isRequired: true,
    });
    return;
  }
  for (const { name } of candidates) columns.use(name);
  if (typeof decided === 'string') return;
  columns.draft.choose('messages.text.from', {
    value: best.name,
    because: evidence(best),
    alternatives: others.map((profile) => ({ value: profile.name, because: evidence(profile) })),
    isRequired: true,
  });
  const tagged = best.texts.filter((text) => /<(?:p|br|b|i|a|div|strong|em|ul|span)\b[^<>]*>/i.test(text)).length;
  if (tagged < best.texts.length * 0.2) return;
  columns.draft.choose('messages.text.markup', {
    value: 'html',
    because: `${count(tagged)} of ${count(best.texts.length)} texts hold HTML`,
  });
}

function proposeId(columns: ColumnChoice): void {
  const isUnique = (profile: ColumnProfile) =>
    new Set(profile.texts).size === profile.texts.length && profile.texts.length === profile.rowCount;
  columns.choose('messages.id', columns.candidates(names.id, isUnique));
}

const averageLength = ({ texts }: ColumnProfile) =>
  texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);

/** Who wrote a message, and where. */
function proposePeople(columns: ColumnChoice): void {
  const conversations = columns.candidates(names.conversation);
  const isDecided = columns.draft.at('messages.author') !== undefined;
  const [author, ...otherAuthors] = isDecided ? [] : columns.candidates(names.author);
  if (author) {
    columns.use(author.name);
    const alternatives = otherAuthors.filter(
      ({ name }) => /id$/i.test(name) === /id$/i.test(author.name) && !/name|mail/i.test(name),
    );
    columns.draft.choose('messages.author', {
      value: author.name,
      because: evidence(author),
      alternatives: alternatives.map((profile) => ({ value: profile.name, because: evidence(profile) })),
    });
  } else {
    columns.draft.choose('messages.author', { because: 'no column is named like an author', alternatives: [] });
  }
  columns.choose('messages.authorName', columns.candidates(names.authorName));
  proposeConversation(columns, conversations, author);
}

function proposeConversation(
  columns: ColumnChoice,
  candidates: readonly ColumnProfile[],
  author: ColumnProfile | undefined,
): void {
  const key = 'messages.conversation';
  const [best, ...others] = candidates.filter(({ name }) => name !== author?.name);
  const [recipient] = columns.candidates(names.recipient);
  if (best) {
    columns.use(best.name);
    const isSameThing = ({ name }: ColumnProfile) => columnsNamed([name], names.conversationName).length > 0;
    columns.draft.choose(key, {
      value: best.name,
      because: `${evidence(best)}; ${count(new Set(best.texts).size)} different ones`,
      alternatives: others
        .filter((profile) => !isSameThing(profile))
        .map((profile) => ({ value: profile.name, because: evidence(profile) })),
      isRequired: true,
    });
    columns.choose('messages.conversationName', columns.candidates(names.conversationName));
    return;
  }
  const sender = author?.name ?? columns.draft.at('messages.author');
  if (recipient && typeof sender === 'string') {
    columns.use(recipient.name);
    const shared = new Set(columns.profile(sender).texts);
    const known = distinct(recipient).filter((id) => shared.has(id)).length;
    const because = `"${sender}" and "${recipient.name}"; ${count(known)} of ${count(distinct(recipient).length)} recipients write too`;
    columns.draft.choose(key, {
      value: { between: [sender, recipient.name] },
      because,
      alternatives:
        known > 0 ? [] : [{ value: recipient.name, because: 'none of the recipients writes: they may be rooms' }],
      isRequired: true,
    });
    return;
  }
  columns.draft.choose(key, {
    because: 'no column is named like a conversation',
    alternatives: [{ value: { constant: 'general' }, because: 'if all messages belong to one conversation' }],
    isRequired: true,
  });
}
