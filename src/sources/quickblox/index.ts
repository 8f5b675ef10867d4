import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { asArray, asString } from '../kit/narrow.ts';
import { type AnswerRow, readAnswers } from '../kit/rows/answer-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { defineSource, type ReadContext } from '../source.ts';
import { quickbloxCodes } from './codes.ts';
import { addPerson, conversationOf, pinsOf } from './directory.ts';
import { quickbloxKindOf } from './format.ts';
import { readMessage } from './message.ts';

/** Saved answers of QuickBlox and ConnectyCube, as `format.ts` says. */
export const quickblox = defineSource({
  name: 'quickblox',
  title: 'QuickBlox and ConnectyCube (saved answers of the REST API, JSON)',
  what: 'QuickBlox and ConnectyCube: saved answers of the REST API: messages, dialogs, people, with files, reactions, pins and parameters of the app',
  notes: 'times, events of the app, messages deleted for some',
  sortKeys: 'always',
  options: z.strictObject({}),
  codes: quickbloxCodes,
  probe: (input) => probeMarks(input, marks),
  read,
});

const objectId = /^[0-9a-f]{24}$/;

const marks: readonly Marks[] = [
  {
    objects: [
      {
        at: '**',
        keys: ['_id', 'chat_dialog_id', 'date_sent', 'sender_id'],
        values: { chat_dialog_id: objectId },
      },
    ],
  },
  { objects: [{ at: '**', keys: ['_id', 'occupants_ids', 'xmpp_room_jid', 'type'], values: { _id: objectId } }] },
  { objects: [{ at: '**/user', keys: ['id', 'full_name', 'login', 'blob_id'] }] },
  { objects: [{ at: '**', keys: ['id', 'full_name', 'login', 'external_user_id', 'last_request_at'] }] },
];

function read(input: ExportInput, _options: object, context: ReadContext): AsyncGenerator<readonly Entry[]> {
  const newCounts = () => new CountedProblems('quickblox-deleted-for-some', 'quickblox-not-migrated');
  const counts = newCounts();
  const lastMessages = new LastMessages();
  /** Ids of messages: one for each that is pinned. */
  const pins = new Set<string>();
  const workspace = context.workspace ?? '';
  const addDialog = (row: AnswerRow, location: Parameters<typeof recordEntry>[1], into: Entry[]) => {
    const record = conversationOf(row);
    if (record === undefined) {
      into.push(problemEntry('conversation-without-id', 'A dialog without "_id"', location));
      return;
    }
    for (const id of pinsOf(row)) pins.add(id);
    counts.add('quickblox-not-migrated', 'administrators of dialogs', asArray(row.admins_ids).length);
    lastMessages.expect(asString(row.last_message_id), record.id, location);
    into.push(recordEntry(record, location));
  };
  return readAnswers(input, context, {
    list: 'items',
    kindOf: quickbloxKindOf,
    order: ['people', 'dialogs'],
    time: /"date_sent"\s{0,9}:\s{0,9}(\d{10})/,
    ...{ counts, newCounts, lastMessages },
    addListed(kind, row, location, into) {
      if (kind === 'people') addPerson(row, location, into);
      else addDialog(row, location, into);
    },
    readMessage: (row, sortKey, own) => readMessage(row, { workspace, sortKey, counts: own, pins }),
    idOf: ({ _id }) => asString(_id),
    conversationOf: ({ chat_dialog_id }) => asString(chat_dialog_id),
  });
}
