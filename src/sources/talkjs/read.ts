import { ListDirectory } from '../kit/directory.ts';
import { asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { readAnswers } from '../kit/rows/answer-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import type { ReadSource } from '../source.ts';
import { readConversation, readPerson } from './directory.ts';
import { recogniseTalkjs, type TalkjsMessage } from './format.ts';
import { readMessage } from './message.ts';

export const read: ReadSource = (input, _options, context) => {
  const newCounts = () => new CountedProblems('talkjs-not-migrated');
  const counts = newCounts();
  const directory = new ListDirectory();
  const workspace = context.workspace ?? '';
  return readAnswers(input, context, {
    list: 'data',
    kindOf: recogniseTalkjs,
    order: ['people', 'conversations'],
    time: /"createdAt"\s{0,9}:\s{0,9}(\d{13})/,
    counts,
    newCounts,
    lastMessages: directory.lastMessages,
    addListed(kind, row, location, into) {
      if (kind === 'people') return void directory.addPerson(readPerson(row), 'a person with an "id"', location, into);
      const record = readConversation(row);
      if (!directory.addConversation(record, 'a conversation with an "id"', location, into)) return;
      const last: Untrusted<TalkjsMessage> = asObject(row.lastMessage) ?? {};
      directory.lastMessages.expect(asString(last.id), record!.id, location);
      counts.add('talkjs-not-migrated', 'rights and notifications of participants', record!.members.length);
    },
    readMessage: (row, sortKey, own) => readMessage(row, { workspace, sortKey, counts: own }),
    idOf: ({ id }) => asString(id),
    conversationOf: ({ conversationId }) => asString(conversationId),
  });
};
