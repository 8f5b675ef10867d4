import { keyPath, settingText, yamlLine } from '../../lib/settings.ts';
import type { LoggedDecision } from '../../report/decision-log.ts';
import type { Affected, Card, CardDecision } from '../shapes.ts';
import type { AskedQuestion } from './asked-questions.ts';

/** Lines of evidence that a card has. */
export const evidenceMax = 12;

/** A card of a question. @param decisions The latest last. */
export function questionCard(question: AskedQuestion, affects: Affected, decisions: readonly LoggedDecision[]): Card {
  const { key, because, explained, readings, value } = question;
  const [first] = readings;
  return {
    id: `q:${key}`,
    kind: 'question',
    title: titleOf(key),
    key: `source.${key}`,
    because,
    evidence: explained.slice(0, evidenceMax),
    affects,
    otherwise: 'nothing is planned before it is decided',
    answers: readings.map((reading) => ({
      label: settingText(reading.value),
      because: reading.because,
      sets: [{ key: `source.${key}`, value: settingText(reading.value) }],
      isProposed: reading === first && (reading.isHarmless ?? reading.isEvident) === true,
      isLastResort: reading.isLastResort === true,
    })),
    takesText: true,
    takesSeveral: false,
    decided: value === undefined ? null : findDecision(question, decisions),
  };
}

function findDecision({ key, readings, value }: AskedQuestion, decisions: readonly LoggedDecision[]): CardDecision {
  const text = settingText(value);
  const index = readings.findIndex((reading) => yamlLine(reading.value) === yamlLine(value));
  const logged = decisions.findLast((decision) => decision.key === `source.${key}`);
  // A mapping that was changed since decides it, without a name.
  const isSame = logged?.answer === text;
  return {
    answer: index === -1 ? null : index,
    value: text,
    by: isSame ? logged.by : null,
    atMs: isSame ? logged.atMs : null,
    holds: true,
  };
}

/** By the last parts of a key. */
const titles: Readonly<Record<string, string>> = {
  zone: 'The time zone of the times',
  encoding: 'The encoding of the texts',
  'tables.messages': 'Where the messages are',
  'tables.users': 'Where the people are',
  'tables.conversations': 'Where the conversations are',
  'messages.id': 'What identifies a message',
  'messages.author': 'Who wrote a message',
  'messages.authorName': 'The name of who wrote a message',
  'messages.conversation': 'The conversation of a message',
  'messages.time': 'When a message was sent',
  'messages.time.from': 'When a message was sent',
  'messages.time.format': 'How times are written',
  'messages.text': 'The text of a message',
  'messages.text.from': 'The text of a message',
  'messages.text.markup': 'How texts are marked up',
  'messages.kind': 'Messages of people and of the platform',
  'messages.reply': 'Replies',
  'messages.quote': 'Quotes',
  'messages.edited': 'Edited messages',
  'messages.deleted': 'Deleted messages',
  'messages.only': 'Rows that are left out',
  'messages.repeated': 'Rows of the same message',
  'conversations.only': 'Conversations that are left out',
  'members.only': 'Who is a member',
  'conversations.type': 'Private and public conversations',
};

const titleOf = (key: string): string => {
  const path = keyPath(key);
  const column = path[1] === 'only' ? path.slice(2).join('.') : '';
  const name = path.slice(0, column === '' ? undefined : 2).join('.');
  if (!Object.hasOwn(titles, name)) return `The key ${key}`;
  return column === '' ? titles[name]! : `${titles[name]!}: ${column}`;
};
