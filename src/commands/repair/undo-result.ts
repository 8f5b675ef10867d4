import type { NamedUndoCall, UndoCall, UndoState } from '../../store/undo.ts';
import type { Store } from '../../store/open.ts';
import type { UndoSum, UndoResult } from '../results.ts';

/** Requests and examples that are shown; the sums count all. */
const requestsShown = 20;
const examplesShown = 3;

export function undoResult(
  store: Store,
  { id, name }: { readonly id: number; readonly name: string },
  run: number,
  { only, reads, stopped }: Pick<UndoResult, 'only' | 'reads' | 'stopped'>,
): UndoResult {
  const counts = store.undo.count(id, run);
  const sums = (...states: UndoState[]) => {
    const sum: Record<UndoCall['kind'], UndoSum> = {
      group: none,
      conversation: none,
      member: none,
      person: none,
      deactivation: none,
    };
    for (const { kind, state, calls, messages } of counts) {
      if (states.includes(state))
        sum[kind] = { calls: sum[kind].calls + calls, messages: sum[kind].messages + messages };
    }
    return sum;
  };
  const open = store.undo.named({ run, states: ['planned', 'sent', 'gone'], max: requestsShown });
  const byReason = Map.groupBy(
    counts.filter(({ state }) => state === 'left'),
    ({ reason }) => reason ?? '',
  );
  return {
    destination: name,
    only,
    todo: sums('planned', 'sent', 'gone'),
    done: sums('done'),
    requests: open.map(({ messages, name: called, ...call }) => ({
      request: requestOf(call),
      name: called,
      calls: 1,
      messages,
    })),
    left: [...byReason].map(([reason, of]) => ({
      reason,
      explanation: explanations[reason] ?? reason,
      calls: of.reduce((sum, { calls }) => sum + calls, 0),
      messages: of.reduce((sum, { messages }) => sum + messages, 0),
      examples: store.undo.named({ run, states: ['left'], reason, max: examplesShown }).map((call) => ({
        name: call.name,
        detail: call.detail ?? '',
      })),
    })),
    staying: Object.fromEntries(store.actions.countStaying(id).map(({ kind, count }) => [kind, count])),
    stayingFiles: store.media.figures.byLocation(),
    reads,
    stopped,
  };
}

const none: UndoSum = { calls: 0, messages: 0 };

const requestOf = ({ kind, target }: Pick<NamedUndoCall, 'kind' | 'target'>): string =>
  ({
    group: `DELETE /v3/groups/${target}`,
    conversation: `DELETE /v3/conversations/${target}`,
    member: `DELETE /v3/groups/${target}`,
    person: `DELETE /v3/users ${target}`,
    deactivation: `PUT /v3/users ${target}`,
  })[kind];

const explanations: Readonly<Record<string, string>> = {
  'outside-only': 'holds messages outside --only',
  unconfirmed: 'something of it is unconfirmed: the import command settles that first',
  foreign: 'others wrote in it',
  existing: 'messages of it were there before this store sent any',
  different: 'messages there have different content than ours',
  'not-proved': 'it was not recorded that nothing was there before',
  'group-existed': 'the group was there before',
  'not-listed': 'none of it is listed, although no undo was requested: run "chatferry reconcile" to check',
  'not-all-listed': 'messages of ours are missing there: "chatferry reconcile" puts them back to pending first',
  reacted: 'a message has a reaction that was not imported',
  joined: 'people who wrote nothing have joined the group',
  failed: 'the destination refused the request',
  'not-answered': 'a request without an answer may have made them',
  'has-messages': 'the person has other messages there',
};
