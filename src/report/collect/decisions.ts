import type { Database } from 'better-sqlite3';
import {
  conversationsOfFindings,
  countOfFiles,
  eachConversation,
  eachPerson,
  peopleOfFindings,
} from '../../checkpoint/reports/decision-rows.ts';
import { conversationCheckOf, personCheckOf } from '../../mapping/ask-checks.ts';
import { checkOf } from '../../mapping/check-registry.ts';
import type { ReportGroup } from '../report-data.ts';
import type { Tally } from '../tally.ts';

/** What may be decided, what happens if nothing is, and how many messages hang on it; nothing for what asks for no decision. */
export function decisionOf(
  db: Database,
  { code, count }: Pick<ReportGroup, 'code' | 'count'>,
  tally: Tally,
): Pick<ReportGroup, 'options' | 'otherwise' | 'messages'> {
  const check = checkOf(code);
  if (check?.severity !== 'decision') return {};
  const { about, options, otherwise } = check;
  const messages = counters[about](db, code, { count, tally });
  return { options: [...options], otherwise, ...(messages !== undefined && { messages }) };
}

type Counter = (
  db: Database,
  code: string,
  about: { readonly count: number; readonly tally: Tally },
) => number | undefined;

const counters: Readonly<Record<'message' | 'person' | 'conversation' | 'file' | 'nothing', Counter>> = {
  message: (_db, _code, { count }) => count,
  person: (db, code, { tally }) => sumOf(peopleOf(db, code), (id) => tally.authors.of(id)),
  conversation: (db, code, { tally }) => sumOf(conversationsOf(db, code), (id) => tally.conversations.get(id)?.planned),
  file: (db, code) => countOfFiles(db, code),
  nothing: () => undefined,
};

/** Of records the places are kept and not the ids, so the question is asked once more. */
function* peopleOf(db: Database, code: string): Generator<number> {
  const check = personCheckOf(code);
  if (!check) return yield* peopleOfFindings(db, code);
  for (const { id, record, ...context } of eachPerson(db))
    if (check.find(record, { ...context, ...unasked }) !== undefined) yield id;
}

function* conversationsOf(db: Database, code: string): Generator<number> {
  const check = conversationCheckOf(code);
  if (!check) return yield* conversationsOfFindings(db, code);
  for (const { id, record, ...context } of eachConversation(db))
    if (check.find(record, { ...context, ...unasked }) !== undefined) yield id;
}

/** What no check that asks for a decision looks at. */
const unasked = { isKnown: () => true, nowMs: 0 };

function sumOf(ids: Iterable<number>, messagesOf: (id: number) => number | undefined): number {
  let sum = 0;
  for (const id of ids) sum += messagesOf(id) ?? 0;
  return sum;
}
