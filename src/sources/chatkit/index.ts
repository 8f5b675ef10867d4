import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { asId } from '../kit/narrow.ts';
import { readAnswers } from '../kit/rows/answer-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { defineSource, type ReadContext } from '../source.ts';
import { chatkitCodes } from './codes.ts';
import { addPerson, addRoom, LastTimes } from './directory.ts';
import { chatkitKindOf } from './format.ts';
import { readMessage } from './message.ts';

/** Pusher Chatkit, as `format.ts` says. */
export const chatkit = defineSource({
  name: 'chatkit',
  title: 'Pusher Chatkit (data export, saved answers of the API, JSON)',
  what: 'Pusher Chatkit: the data export of 2020 (users, rooms, messages), saved answers of the API: parts, files, addresses, custom data',
  notes: 'parts of a message, edits, which rooms are public',
  sortKeys: 'always',
  options: z.strictObject({}),
  codes: chatkitCodes,
  probe: (input) => probeMarks(input, marks),
  read,
});

const marks: readonly Marks[] = [
  {
    objects: [
      { at: '**', keys: ['id', 'sender_id', 'room_id', 'parts', 'created_at'] },
      { at: '**/parts/*', keys: ['part_type', 'payload'] },
    ],
  },
  {
    objects: [
      { at: '**', keys: ['id', 'user_id', 'room_id', 'parts', 'created_at', 'updated_at'] },
      { at: '**/parts/*', keys: ['type', 'content'] },
    ],
  },
  ...['member_ids', 'member_user_ids'].map((members) => ({
    objects: [{ at: '**', keys: ['id', 'created_by_id', 'private', 'name', members] }],
  })),
];

function skipped(path: string): string | undefined {
  if (/(?:^|\/)schema\/(?:user|room|message)\.json$/.test(path)) return 'A JSON schema of the export';
  return /(?:^|\/)README\.md$/.test(path) ? 'Says how the export is made' : undefined;
}

function read(input: ExportInput, _options: object, context: ReadContext): AsyncGenerator<readonly Entry[]> {
  const newCounts = () => new CountedProblems();
  const times = new LastTimes();
  const workspace = context.workspace ?? '';
  return readAnswers(input, context, {
    list: { messages: 'messages', users: 'people', rooms: 'rooms' },
    kindOf: chatkitKindOf,
    skipped,
    order: ['people', 'rooms'],
    // Ids of messages grow with time; those of rooms and files are text.
    time: /"id"\s{0,9}:\s{0,9}(\d{1,15})\b/,
    ...{ counts: newCounts(), newCounts, lastMessages: times.last },
    addListed(kind, row, location, into) {
      if (kind === 'people') addPerson(row, location, into);
      else {
        times.expect(row, location);
        addRoom(row, location, into);
      }
    },
    readMessage: (row, sortKey) => readMessage(row, { workspace, sortKey }),
    idOf: (row) => times.keyOf(row),
    conversationOf: ({ room_id: room }) => asId(room),
  });
}
