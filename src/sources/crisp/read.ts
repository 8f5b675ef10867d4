import { asId, asObject } from '../kit/narrow.ts';
import { readAnswers } from '../kit/rows/answer-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import type { ReadSource } from '../source.ts';
import { Directory, messageKey } from './directory.ts';
import { recogniseCrisp, findCrispLayout } from './layout.ts';
import { readMessage } from './message.ts';
import { readOperator } from './people.ts';

export const read: ReadSource = (input, _options, context) => {
  const newCounts = () => new CountedProblems('crisp-not-migrated');
  const counts = newCounts();
  const directory = new Directory();
  const workspace = context.workspace ?? '';
  return readAnswers(input, context, {
    list: 'data',
    findLayout: findCrispLayout,
    kindOf: recogniseCrisp,
    order: ['operators', 'conversations'],
    time: /"timestamp"\s{0,9}:\s{0,9}(\d{13})/,
    counts,
    newCounts,
    lastMessages: directory.lastMessages,
    addListed(kind, row, location, into) {
      if (kind === 'operators') directory.addPerson(readOperator(row), 'an operator with a "user_id"', location, into);
      else directory.addListed(asObject(row.data) ?? row, location, into, counts);
    },
    newDescriber: () => directory.newDescriber(),
    readMessage: (row, sortKey, own) => readMessage(row, { workspace, sortKey, counts: own }),
    idOf(row) {
      const [conversation, id] = [asId(row.session_id), asId(row.fingerprint)];
      return conversation === undefined || id === undefined ? undefined : messageKey(conversation, id);
    },
    conversationOf: (row) => asId(row.session_id),
  });
};
