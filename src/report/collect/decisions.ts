import type { Store } from '../../store/open.ts';
import { findCheck } from '../../mapping/checks.ts';
import type { ReportGroup } from '../report-data.ts';
import { conversationsWithFinding, peopleWithFinding } from '../../rows/found-subjects.ts';
import type { Tally } from '../tally.ts';

/** Number of findings of one code that are kept. With more, some are missing, so nothing is concluded from their messages. */
const keptMax = 1000;

/**
 * The options, what happens if nothing is decided, and how many messages depend on it; nothing for what asks for no decision.
 * A decision on which no message depends changes nothing: it is information.
 */
export function describeDecision(
  store: Store,
  { code, count }: Pick<ReportGroup, 'code' | 'count'>,
  tally: Tally,
): Pick<ReportGroup, 'options' | 'otherwise' | 'messages'> & { readonly severity?: 'information' } {
  const check = findCheck(code);
  if (check?.severity !== 'decision') return {};
  const { about, options, otherwise } = check;
  const messages = counters[about](store, code, { count, tally });
  if (messages === 0 && (about === 'zone' || count <= keptMax)) return { severity: 'information' };
  return { options: [...options], otherwise, ...(messages !== undefined && { messages }) };
}

type Counter = (
  store: Store,
  code: string,
  about: { readonly count: number; readonly tally: Tally },
) => number | undefined;

const counters: Readonly<Record<'message' | 'person' | 'conversation' | 'file' | 'zone' | 'nothing', Counter>> = {
  message: (_store, _code, { count }) => count,
  person: (store, code, { tally }) => {
    const people = new Set(peopleWithFinding(store, code));
    const written = sumMessages(people, (id) => tally.authors.of(id));
    const received = () =>
      sumMessages(store.totals.directConversations(people), (id) => tally.conversations.get(id)?.planned);
    return (written || received()) ?? written;
  },
  conversation: (store, code, { tally }) =>
    sumMessages(conversationsWithFinding(store, code), (id) => tally.conversations.get(id)?.planned),
  file: (store, code) => store.totals.findings.countMessagesOfFiles(code),
  zone: (_store, _code, { tally }) => tally.planned.get('zoneAssumed') ?? 0,
  nothing: () => undefined,
};

/** Nothing if no subject is known: then nobody can say that no message depends on it. */
function sumMessages(ids: Iterable<number>, countMessages: (id: number) => number | undefined): number | undefined {
  let sum: number | undefined;
  for (const id of ids) sum = (sum ?? 0) + (countMessages(id) ?? 0);
  return sum;
}
