import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { asId, asObject } from '../kit/narrow.ts';
import { readAnswers } from '../kit/rows/answer-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { defineSource, type ReadContext } from '../source.ts';
import { crispCodes } from './codes.ts';
import { Directory, messageKey } from './directory.ts';
import { crispKindOf, crispLayoutOf } from './layout.ts';
import { readMessage } from './message.ts';

/** Saved answers of Crisp, as `format.ts` says. */
export const crisp = defineSource({
  name: 'crisp',
  title: 'Crisp (answers of its REST API)',
  what: 'Crisp: messages, conversations and operators as answers of its REST API, or messages as JSON lines',
  notes: 'private notes, operators and visitors apart, which conversations are not whole',
  sortKeys: 'always',
  options: z.strictObject({}),
  codes: crispCodes,
  probe: (input) => probeMarks(input, marks),
  read,
});

const marks: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['session_id', 'website_id', 'fingerprint', 'from', 'type', 'timestamp'] }] },
  { objects: [{ at: '**', keys: ['session_id', 'website_id', 'state', 'meta', 'created_at'] }] },
];

function read(input: ExportInput, _options: object, context: ReadContext): AsyncGenerator<readonly Entry[]> {
  const newCounts = () => new CountedProblems('crisp-not-migrated');
  const counts = newCounts();
  const directory = new Directory();
  const workspace = context.workspace ?? '';
  return readAnswers(input, context, {
    list: 'data',
    layoutOf: crispLayoutOf,
    kindOf: crispKindOf,
    order: ['operators', 'conversations'],
    time: /"timestamp"\s{0,9}:\s{0,9}(\d{13})/,
    ...{ counts, newCounts, lastMessages: directory.lastMessages },
    addListed(kind, row, location, into) {
      if (kind === 'operators') directory.addOperator(row, location, into);
      else directory.addConversation(asObject(row.data) ?? row, location, into, counts);
    },
    newDescriber: () => directory.newDescriber(),
    readMessage: (row, sortKey, own) => readMessage(row, { workspace, sortKey, counts: own }),
    idOf(row) {
      const [conversation, id] = [asId(row.session_id), asId(row.fingerprint)];
      return conversation === undefined || id === undefined ? undefined : messageKey(conversation, id);
    },
    conversationOf: (row) => asId(row.session_id),
  });
}
