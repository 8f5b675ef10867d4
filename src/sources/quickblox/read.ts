import type { Entry } from '../../model/entry.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { asArray, asString } from '../kit/narrow.ts';
import { type AnswerRow, readAnswers } from '../kit/rows/answer-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import type { ReadSource } from '../source.ts';
import { addPerson, readConversation, readPins } from './directory.ts';
import { recogniseQuickblox } from './format.ts';
import { readMessage } from './message.ts';

export const read: ReadSource = (input, _options, context) => {
  const newCounts = () => new CountedProblems('quickblox-deleted-for-some', 'quickblox-not-migrated');
  const counts = newCounts();
  const lastMessages = new LastMessages();
  /** Ids of messages: one for each that is pinned. */
  const pins = new Set<string>();
  const workspace = context.workspace ?? '';
  const addDialog = (row: AnswerRow, location: Parameters<typeof recordEntry>[1], into: Entry[]) => {
    const record = readConversation(row);
    if (record === undefined) {
      into.push(problemEntry('conversation-without-id', 'A dialog without "_id"', location));
      return;
    }
    for (const id of readPins(row)) pins.add(id);
    counts.add('quickblox-not-migrated', 'administrators of dialogs', asArray(row.admins_ids).length);
    lastMessages.expect(asString(row.last_message_id), record.id, location);
    into.push(recordEntry(record, location));
  };
  return readAnswers(input, context, {
    list: 'items',
    kindOf: recogniseQuickblox,
    order: ['people', 'dialogs'],
    time: /"date_sent"\s{0,9}:\s{0,9}(\d{10})/,
    counts,
    newCounts,
    lastMessages,
    addListed(kind, row, location, into) {
      if (kind === 'people') addPerson(row, location, into);
      else addDialog(row, location, into);
    },
    readMessage: (row, sortKey, own) => readMessage(row, { workspace, sortKey, counts: own, pins }),
    idOf: ({ _id }) => asString(_id),
    conversationOf: ({ chat_dialog_id }) => asString(chat_dialog_id),
  });
};
