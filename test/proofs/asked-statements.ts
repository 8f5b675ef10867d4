import { rmSync, writeFileSync } from 'node:fs';
import { databaseOf, openStore, type Store, copyStore, loadCopy, unloadCopy } from '../../src/store/open.ts';
import { stagedRow } from '../scenes/staged-rows.ts';

/** Makes a copy of the store that travels, and takes it apart again. */
function askCopies(path: string): void {
  const [copy, state] = [`${path}.copy`, `${path}.copy-state`];
  copyStore(path, copy);
  writeFileSync(state, 'of a job');
  loadCopy(copy, state);
  rmSync(state);
  unloadCopy(copy, state, copy);
}

/** Rows of one identity: another version in another file, and other messages, in a later plan and in a load. */
function askMerge(store: Store): void {
  const select = databaseOf(store).prepare<[], { muid: string; sentAtMs: number; sender: number; file: number }>(
    `SELECT muid, sent_at AS sentAtMs, sender, file FROM message WHERE verdict = 'planned' AND part IS NULL AND follows IS NULL
       AND stale = 0 AND vanished = 0 LIMIT 1`,
  );
  const { muid, sentAtMs, sender, file } = select.get()!;
  const home = { file, path: 'none', conversation: 1, sender: sender === 1 ? 2 : 1 };
  const version = stagedRow(1, { muid, sentAtMs, recordDigest: 'none', payload: '{"data":{"text":"one"}}' });
  const rows = store.messages.merge({ onChangedAfterSending() {} });
  store.messages.times({ fromMs: 0, toMs: 1 });
  store.destinations.hasLeft();
  rows.save(version, { ...home, file: 9 });
  rows.save({ ...version, recordDigest: 'another' }, home);
  const other = { ...version, payload: '{"data":{"text":"other"}}' };
  rows.save({ ...other, sentAtMs: sentAtMs + 1 }, home);
  const load = store.messages.append();
  load.save({ ...other, sentAtMs: sentAtMs + 2 }, home);
  load.flush();
  store.messages.markRepeated();
  store.messages.keepBack('none', [-1]);
  store.messages.keepBack('none', 'encrypted');
  store.messages.release();
  store.messages.createMergeIndexes();
}

const nothing = { agoMs: 0, arrived: undefined };

/** Asks for what verify and reconcile write down when a destination has what nobody expects there. */
function askChecks({ batches, checks }: Store): void {
  checks.openAbsent(1, false);
  const seen = checks.openSeen();
  const sighting = { conversation: -1, message: -1, serverId: 'none', place: 1, isOrdered: false };
  for (const serverId of ['none', 'other']) seen.add({ ...sighting, serverId });
  const differences = checks.openDifferences(1);
  differences.add({ kind: 'extra', muid: 'none', conversation: 1, message: null, detail: '' });
  differences.addField(-1, -1, 'none');
  differences.addMissing(-1, 'none');
  differences.clearConversation(1);
  checks.drop(1, -1);
  checks.homeOf(1, 'none');
  checks.purge.purgeSent(1, [{ seq: -1, digest: 'none' }]);
  batches.hadAttempt(1, -1);
  const rows = checks.openReconciled(1, 1);
  rows.found({ seq: -1, state: 'failed', serverId: 'none', isLate: false });
  rows.learnServerId(-1, 'none');
  rows.pending(-1, rows.generationOf(-1), null);
  rows.person(1);
  const group = { conversation: 1, receiverType: 'group', conversationId: undefined, lastServerId: undefined };
  rows.conversation({ ...group, foreignCount: 0 });
  const generations = checks.openGenerations();
  generations.add('none', { message: -1, generation: 1 });
  generations.meet('none');
  generations.metOf(-1);
}

function askAdopted({ checks }: Store): void {
  const adopted = checks.openAdopted(1);
  adopted.sharesPlace(-1);
  adopted.payloadAtDestination(-1);
  adopted.followUpCount(-1);
  adopted.find('none');
  const unknown = checks.openUnknown();
  const named = { muid: 'none', about: 'none', sender: 'none', serverId: 'none' };
  const listed = { place: 1, payload: '{}', sentAtMs: 0, sortKey: null, change: null, part: null };
  unknown.add(-1, { ...named, ...listed, kind: 'follow-up' });
  for (const followed of unknown.followed(-1)) unknown.latestFollowUp(-1, followed);
  unknown.versions(-1, 'none');
  [...unknown.followUps(-1)];
  unknown.clear(-1);
}

/** What every message is to a store from another copy of which all have left. */
function askReplay(store: Store): void {
  const muids = databaseOf(store).prepare<[], string>('SELECT muid FROM message WHERE muid IS NOT NULL').pluck().all();
  const arrived = Object.fromEntries(muids.map((muid) => [muid, 'none']));
  store.batches.replay(1, [{ muids, actions: [-1], arrivals: [-1], agoMs: 0, arrived }], 0);
}

/** Members for the time of an import, one of whom was removed. */
function askFormer(store: Store): void {
  databaseOf(store).exec(`
    INSERT INTO arrival (id, kind, conversation, person, payload, is_assumed, leaves) VALUES (999999, 'members', 0, 0, '{}', 0, 1);
    INSERT INTO arrival_delivery (destination, arrival, state, attempts, sent_at, run) VALUES (1, 999999, 'left', 1, 0, 1)`);
  store.arrivals.rejoin(1);
  store.arrivals.collectLeaving(1, 'ready');
  store.arrivals.leaving()[Symbol.iterator]().next();
  store.arrivals.wasRemoved(1, 0, 'none');
}

/** Asks the store for what the commands before had no occasion to ask. */
export function askFor(path: string): void {
  const store = openStore(path, { command: 'test', nowMs: 0 });
  const db = databaseOf(store);
  const { checks, failures, lanes, totals } = store;
  const allButFirst = { has: (id: number) => id !== 1 };
  const asks: readonly (() => unknown)[] = [
    () => [...store.problems.attachments()],
    () => [store.conversations.forgetUnseen(allButFirst), store.people.forgetUnseen(allButFirst)],
    () => [
      store.messages.filesOfFoundRoots(),
      store.messages.countOrphanReplies(),
      store.messages.collectWriters(),
      store.conversations.placeOutsiders('reject'),
    ],
    () => [store.problems.replace(['none'], []), store.files.nameSource('none', 'slack'), store.files.reopen([-1])],
    () => [store.files.hasUnfinished('none'), store.files.countRead(), store.files.forget([-1])],
    () => store.files.judgedOtherwise({ fromMs: 0, toMs: 1 }, undefined),
    () => [store.people.nameOfUid('none'), store.conversations.prioritize({ first: ['none'], byTime: true })],
    () => [store.messages.firstConflict(), store.messages.unsentConflictFiles()],
    () => totals.verdict(db.prepare<[], string>('SELECT muid FROM message WHERE part = 1').pluck().get()!),
    () => [failures.hadCode(1, 'none'), failures.unknown(1, ['none'])],
    () => failures.collect(1).takeSome(1, 'none'),
    () => failures.choose(1, { ids: [], exceptCode: '' }),
    () => [lanes.toRetry(1), failures.takeChosen(1, 1, 1), lanes.chooseQuarantined(1)],
    () => [store.people.behindOthers(() => false), store.people.giveHash(-1, 'none'), store.people.withHashes()],
    () => [
      store.messages.applyOrphanPolicy('skip'),
      store.messages.applyOrphanPolicy('unlink'),
      totals.pendingBefore({ destination: 1, fromMs: 0, beforeMs: 9e15 }, 1),
    ],
    () => [
      ...totals.findings.people('none'),
      totals.findings.countFiles('none'),
      totals.findings.subjects('none', 1),
      totals.findings.listing('none'),
      ...totals.eachPerson(),
      ...totals.eachConversation(),
    ],
    () => [totals.findings.locations('none', 1), totals.conversationRecord(1)],
    () => [
      totals.findings.messages({ about: 'location', locations: [] }, 1),
      totals.findings.messages({ about: 'file', code: '' }, 1),
    ],
    () => (['sender', 'conversation'] as const).map((about) => totals.findings.messages({ about, ids: [1] }, 1)),
    () => totals.findings.messages({ about: 'invalid', code: 'none' }, 1),
    () => (['fact', 'planned fact'] as const).map((about) => totals.findings.messages({ about, fact: 'none' }, 1)),
    () => checks.purge.assertContentKept(1),
    () => askCopies(path),
    () => totals.findings.newest(1),
    () => [
      lanes.choose([-1]),
      lanes.doubtful(1, -1),
      lanes.openRowsByMuid(1).load(['none']),
      checks.putBackChosen(1),
      checks.countChosenDelivered(1),
    ],
    () => [checks.unverified(1), checks.unverified(2)],
    () => [
      store.batches.countAttempts(),
      failures.lateMessages(),
      failures.refuseOutsiders(1, 1),
      failures.refuseTooOld(1, 1, [-1]),
    ],
    () => {
      const absent = checks.openAbsent(1, false);
      return [absent.newestShown(), absent.lastAttemptMs(1, 0)];
    },
    () => {
      const receipts = checks.openReceipts(1);
      return [receipts.muidOf(1, 'none'), receipts.forget(1)];
    },
    () => [lanes.ofMessage(1, 'none'), store.destinations.hasTakenBack(), store.actions.latestDoubtfulMs(1)],
    () => [store.arrivals.member(1), store.arrivals.forgetMember(1, 1), store.arrivals.reopen(1)],
    () => askFormer(store),
    () => [
      store.batches.ageOpen(0, 0),
      store.batches.replay(1, [{ ...nothing, muids: ['none'], actions: [-1], arrivals: [-1] }], 0),
    ],
    () => askMerge(store),
    () => [store.messages.text('none'), store.messages.partTexts('none'), store.messages.drift.tell(-1, -1, -1)],
    () => store.messages.drift.link({ message: -1, destination: -1, digest: 'none', followUp: -1 }),
    () => store.media.chooseBeforeWaiting(1),
    () => [store.media.copyAt(-1, 'none'), store.media.noteNotCopied(-1, 'failed', 'none', 0)],
    () => store.media.objects.noteMoved(-1, 'none'),
    () => [...store.media.figures.onlyFiles(), store.media.figures.countOnlyFiles()],
    () => [store.media.figures.hasForeignAddresses(), store.media.figures.hasAny()],
    () => [askChecks(store), askAdopted(store), askReplay(store)],
    () =>
      store.destinations.learnDuplicates(
        { address: 'a', name: 'a', profile: 'spec' },
        { duplicates: 'refused', seenAtMs: 0 },
      ),
  ];
  for (const ask of asks) ask();
  store.close();
}
