import { ListDirectory } from '../kit/directory.ts';
import { asString } from '../kit/narrow.ts';
import { readAnswers } from '../kit/rows/answer-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import type { ReadSource } from '../source.ts';
import { readConversation, readPerson, readPins } from './directory.ts';
import { recogniseQuickblox } from './format.ts';
import { readMessage } from './message.ts';

export const read: ReadSource = (input, _options, context) => {
  const newCounts = () => new CountedProblems('quickblox-deleted-for-some', 'quickblox-not-migrated');
  const counts = newCounts();
  const directory = new ListDirectory();
  /** Ids of messages: one for each that is pinned. */
  const pins = new Set<string>();
  const workspace = context.workspace ?? '';
  return readAnswers(input, context, {
    list: 'items',
    kindOf: recogniseQuickblox,
    order: ['people', 'dialogs'],
    time: /"date_sent"\s{0,9}:\s{0,9}(\d{10})/,
    counts,
    newCounts,
    lastMessages: directory.lastMessages,
    addListed(kind, row, location, into) {
      if (kind === 'people') return void directory.addPerson(readPerson(row), 'a person with an "id"', location, into);
      const record = readConversation(row);
      if (!directory.addConversation(record, 'a dialog with an "_id"', location, into)) return;
      for (const id of readPins(row)) pins.add(id);
      directory.lastMessages.expect(asString(row.last_message_id), record!.id, location);
    },
    readMessage: (row, sortKey, own) => readMessage(row, { workspace, sortKey, counts: own, pins }),
    idOf: ({ _id }) => asString(_id),
    conversationOf: ({ chat_dialog_id }) => asString(chat_dialog_id),
  });
};
