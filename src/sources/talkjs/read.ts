import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { asString } from '../kit/narrow.ts';
import { readAnswers } from '../kit/rows/answer-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import type { ReadContext } from '../source.ts';
import { addConversation, addPerson } from './directory.ts';
import { talkjsKindOf } from './format.ts';
import { readMessage } from './message.ts';

export function read(input: ExportInput, _options: object, context: ReadContext): AsyncGenerator<readonly Entry[]> {
  const newCounts = () => new CountedProblems('talkjs-not-migrated');
  const counts = newCounts();
  const lastMessages = new LastMessages();
  const workspace = context.workspace ?? '';
  return readAnswers(input, context, {
    list: 'data',
    kindOf: talkjsKindOf,
    order: ['people', 'conversations'],
    time: /"createdAt"\s{0,9}:\s{0,9}(\d{13})/,
    ...{ counts, newCounts, lastMessages },
    addListed(kind, row, location, into) {
      if (kind === 'people') addPerson(row, location, into);
      else addConversation(row, { location, into, counts, lastMessages });
    },
    readMessage: (row, sortKey, own) => readMessage(row, { workspace, sortKey, counts: own }),
    idOf: ({ id }) => asString(id),
    conversationOf: ({ conversationId }) => asString(conversationId),
  });
}
