import { doneReactionsReader } from '../../checkpoint/repair/done-actions.ts';
import { metMessages } from '../../checkpoint/repair/met-messages.ts';
import { peopleReader } from '../../checkpoint/staging/people.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import { laneReader } from '../../checkpoint/delivery/touched-lanes.ts';
import type { UndoCall } from '../../checkpoint/repair/undo-calls.ts';
import { writersReader } from '../../checkpoint/delivery/writers.ts';
import { DestinationError } from '../../lib/errors.ts';
import type { ChangeOutcome, RateHints, ReadOutcome } from '../../service/client/outcome.ts';
import type { Ask } from '../../upload/read-back/ask.ts';
import { laneRowsReader } from '../../upload/lanes/lane-rows.ts';
import { laneOf } from '../../upload/lanes/load-lanes.ts';
import type { ReadPage } from '../../upload/read-back/reader.ts';
import { conversationIds } from '../../upload/read-back/read-back.ts';
import type { Target } from '../../upload/target.ts';
import { readStanding, type Standing } from './standing.ts';

/** What a call of an undo is about: how it is looked at, and how it is taken back. */
export interface Subject {
  /** Reads it as it stands now. @throws DestinationError if it cannot be read. */
  look(signal: AbortSignal): Promise<Standing>;
  /** One request. */
  remove(signal: AbortSignal): Promise<ChangeOutcome & { readonly hints: RateHints }>;
}

export interface SubjectsOptions {
  readonly store: Store;
  readonly target: Target;
  readonly readPage: ReadPage;
  readonly ask: Ask;
}

/** Makes the subject of a call, by its kind. */
export function subjectsOf({ store, target, readPage, ask }: SubjectsOptions): (call: UndoCall) => Subject {
  const { client } = target;
  const personOf = peopleReader(store.db);
  const laneRowOf = laneReader(store.db, target.id);
  const writersOf = writersReader(store.db, target.id);
  const met = metMessages(store.db, target.id);
  const reactionsOf = doneReactionsReader(store.db, target.id, { withDoubtful: true });
  const rows = laneRowsReader(store, {
    ...target.profile,
    destination: target.id,
    details: 'never',
    knownPeople: new Set(),
  });

  const conversation = ({ subject, messages }: UndoCall): Subject => {
    const lane = laneOf(laneRowOf(subject), personOf, undefined);
    return {
      look: (signal) => readStanding(lane, { rows, readPage, met, reactionsOf, expected: messages }, signal),
      remove: (signal) => client.deleteConversation(conversationIds(lane)[0]!, lane.people![0].uid, signal),
    };
  };

  const group = (call: UndoCall): Subject => {
    const lane = laneOf(laneRowOf(call.subject), personOf, undefined);
    return {
      async look(signal) {
        const found = await ask((abort) => client.getGroup(lane.guid, abort), signal);
        if (found.kind === 'failed' && found.why !== 'not-found') throw cannotLook(found);
        const standing = await readStanding(
          lane,
          { rows, readPage, met, reactionsOf, expected: call.messages },
          signal,
        );
        if (found.kind === 'failed') return standing;
        if (standing.is === 'gone') return { is: 'emptied' };
        const { membersCount = 0 } = found.value;
        // Its owner may be a member without having written.
        const membersMax = writersOf(call.subject) + 1;
        if (membersCount <= membersMax) return standing;
        const detail = `${membersCount} members, and only ${membersMax - 1} people wrote in it`;
        return { is: 'left', objection: { reason: 'joined', detail } };
      },
      remove: (signal) => client.deleteGroup(lane.guid, signal),
    };
  };

  const person = ({ subject }: UndoCall): Subject => {
    const { uid } = personOf(subject);
    return {
      async look(signal) {
        const found = await ask((abort) => client.listUserMessages(uid, abort), signal);
        if (found.kind === 'answered') {
          if (found.value.messages.length === 0) return { is: 'ours' };
          return { is: 'left', objection: { reason: 'has-messages', detail: `"${uid}" sent or received messages` } };
        }
        if (found.why === 'not-found') return { is: 'gone' };
        throw cannotLook(found);
      },
      remove: (signal) => client.deactivateUser(uid, signal),
    };
  };

  const kinds = { conversation, group, person };
  return (call) => kinds[call.kind](call);
}

const cannotLook = ({ code, detail, hint, requestId }: Extract<ReadOutcome<unknown>, { kind: 'failed' }>) =>
  new DestinationError(`Cannot look at what would be taken back: ${code}: ${detail}`, {
    code,
    requestId,
    hint: hint ?? 'Run the same command again when the service answers',
  });
