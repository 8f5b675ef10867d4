import { aliases, columnsNamed } from './aliases.ts';
import type { ColumnChoice } from './column-choice.ts';
import { type ColumnProfile, count, distinct, evidence } from './column-profile.ts';

const names = aliases.message;

/** Who wrote a message, and where. */
export function proposePeople(columns: ColumnChoice): void {
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
