import { LastMessages } from '../kit/last-messages.ts';
import { asString } from '../kit/narrow.ts';
import { readAnswers } from '../kit/rows/answer-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import type { ReadSource } from '../source.ts';
import { addConversation, addPerson } from './directory.ts';
import { recogniseTalkjs } from './format.ts';
import { readMessage } from './message.ts';

export const read: ReadSource = (input, _options, context) => {
  const newCounts = () => new CountedProblems('talkjs-not-migrated');
  const counts = newCounts();
  const lastMessages = new LastMessages();
  const workspace = context.workspace ?? '';
  return readAnswers(input, context, {
    list: 'data',
    kindOf: recogniseTalkjs,
    order: ['people', 'conversations'],
    time: /"createdAt"\s{0,9}:\s{0,9}(\d{13})/,
    counts,
    newCounts,
    lastMessages,
    addListed(kind, row, location, into) {
      if (kind === 'people') addPerson(row, location, into);
      else addConversation(row, { location, into, counts, lastMessages });
    },
    readMessage: (row, sortKey, own) => readMessage(row, { workspace, sortKey, counts: own }),
    idOf: ({ id }) => asString(id),
    conversationOf: ({ conversationId }) => asString(conversationId),
  });
};
