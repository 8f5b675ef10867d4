import { ListDirectory } from '../kit/directory.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { asId, asObject, type Untrusted } from '../kit/narrow.ts';
import { type AnswerRow, readAnswers } from '../kit/rows/answer-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { commonWordsForMore, SavedPages } from '../kit/rows/saved-pages.ts';
import type { ReadSource } from '../source.ts';
import { readConversation, readPeople, readPerson } from './directory.ts';
import { type GorgiasPerson, type GorgiasTicket, recogniseGorgias } from './format.ts';
import { readMessage } from './message.ts';

export const read: ReadSource = (input, _options, context) => {
  const newCounts = () => new CountedProblems('gorgias-not-migrated');
  const counts = newCounts();
  const directory = new ListDirectory(new LastMessages('Lists have tickets of which no file has messages'));
  /** About 200 bytes for each ticket. */
  const tickets = new Map<string, Untrusted<GorgiasTicket>>();
  const pages = new SavedPages(input, commonWordsForMore);
  return readAnswers(input, context, {
    list: 'data',
    kindOf: recogniseGorgias,
    order: ['agents', 'customers', 'tickets', 'surveys'],
    counts,
    newCounts,
    lastMessages: directory.lastMessages,
    addListed(kind, row, location, into) {
      if (kind === 'surveys') return counts.add('gorgias-not-migrated', 'satisfaction surveys');
      counts.addFields('gorgias-not-migrated', row, kind === 'tickets' ? ofTickets : ofPeople);
      if (kind !== 'tickets') {
        const side = kind === 'agents' ? 'agent' : 'customer';
        return void directory.addPerson(readPerson(row, side), `a ${side} with an "id"`, location, into);
      }
      for (const person of readPeople(row)) directory.people.see(person, location, into);
      const record = readConversation(row);
      if (!directory.addConversation(record, 'a ticket with an "id"', location, into)) return;
      const { id, email } = asObject<GorgiasPerson>(row.customer) ?? {};
      tickets.set(record!.id, { trashed_datetime: row.trashed_datetime, customer: { id, email } });
      if (row.messages_count !== 0) directory.lastMessages.expect(record!.id, record!.id, location);
    },
    inside: 'messages',
    newDescriber: (own) =>
      directory.rowDescriber((row) => {
        if (!isTicket(row)) return readConversation({ id: row.ticket_id });
        own.addFields('gorgias-not-migrated', row, ofTickets);
        return readConversation(row);
      }, readPeople),
    readMessage(row, _sortKey, own, around = {}) {
      const ticket = tickets.get(asId(row.ticket_id) ?? '') ?? around;
      return readMessage(row, { workspace: context.workspace ?? '', counts: own, ticket });
    },
    idOf: (row) => asId(row.ticket_id),
    conversationOf: (row) => asId(row.ticket_id),
    missingAfter: (_exported, path, behind) => pages.missingAfter(path, behind),
  });
};

const isTicket = (row: AnswerRow): boolean => recogniseGorgias((key) => key in row) === 'tickets';

const ofTickets = { tags: 'tags', custom_fields: 'fields of tickets', satisfaction_survey: 'satisfaction surveys' };
const ofPeople = { note: 'notes', data: 'data of shops', integrations: 'data of shops', channels: 'addresses' };
