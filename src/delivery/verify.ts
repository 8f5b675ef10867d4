import { type Store, openStoreToRead } from '../store/open.ts';
import { sha256Hex } from '../lib/hash.ts';
import { inParallel } from '../lib/flow/in-parallel.ts';
import type { VerifyCounts, VerifyResult } from '../model/totals.ts';
import type { ListedMessage } from '../service/outcome.ts';
import type { SessionOptions, ImportOptions, SendChoices } from './session.ts';
import type { Target } from './target.ts';
import { ActionCheck } from './verify/action-check.ts';
import { type ConversationCheck, noCounts, openFindings } from './verify/conversation-check.ts';
import { openReading, type Reading } from './verify/reading.ts';
import { verifyAgain, checkOnce } from './verify/verify-again.ts';
import { readTogether, togetherMax } from './verify/together.ts';
import { formatCount } from '../lib/text/count.ts';
import { DestinationError, StoreError } from '../lib/errors.ts';
import { addRequests, type RequestCounts } from './destination.ts';
import { sendPending } from './import.ts';
import { join } from 'node:path';
import { printPlace } from '../lib/text/location.ts';
import { replaceFile } from '../lib/files/atomic-file.ts';
import { makeFolder } from '../lib/files/make-folder.ts';

export interface VerifyOptions extends SessionOptions {
  /** Only the conversations that runs after this one touched, and those in which something was found to differ before. */
  readonly since?: number;
  /** Only messages that `chooseOnly` found are compared; no conversation counts as verified afterwards. */
  readonly insideOnly?: boolean;
  /** Whether known differences in conversations that were not touched stay recorded. Those conversations are not read again. */
  readonly keepsOthers?: boolean;
  /** Conversations that are read side by side; 4 by default. */
  readonly concurrency?: number;
  readonly signal: AbortSignal;
}

/**
 * Reads back the target's messages, conversation by conversation, and compares them with what the store recorded as
 * sent: as sets, field by field, and in order. A message that is not found counts as missing only after a second look.
 * Memory stays flat whatever the size of a conversation. Writes the differences and the counts of each conversation to
 * the store.
 *
 * @returns The sum over the conversations that were read.
 * @throws DestinationError if the target cannot be read.
 */
export async function verify(store: Store, target: Target, options: VerifyOptions): Promise<VerifyResult> {
  const { since, insideOnly = false, keepsOthers, concurrency = 4, signal } = options;
  const findings = openFindings(store, target.id, insideOnly);
  const lanes =
    since === undefined
      ? store.lanes.all(target.id, insideOnly)
      : store.lanes.touched(target.id, since, { insideOnly, isOnlySince: keepsOthers === true });
  const stage = { name: 'Verifying', total: lanes.deliveredCount };
  const reading = openReading(store, target, { ...options, findings }, stage);
  const actions = new ActionCheck(reading);
  if (!keepsOthers) findings.differences.clear();
  if (since === undefined) store.checks.clear(target.id, insideOnly ? 'inside' : 'whole');
  const results = resultsOf(reading, insideOnly);
  try {
    /** Those in which something was not met: about 500 bytes each. */
    const incomplete: ConversationCheck[] = [];
    const settle = store.transaction((check: ConversationCheck) => {
      if (findings.absent.note(check.lane.conversation) > 0) incomplete.push(check);
      else results.add(check);
    });
    for (const lot of lotsOf(lanes.all(), togetherMax)) {
      const together = { deliveredCount: lanes.deliveredCount, onWhole: results.add };
      const left = actions.looks ? lot : await readTogether(reading, lot, together);
      await sideBySide(left, { concurrency, signal }, async (row, abort) => {
        const check = reading.check(row);
        if (keepsOthers) findings.differences.clearConversation(row.conversation);
        for await (const page of reading.pages(check, undefined, abort)) comparePage(reading, check, actions, page);
        settle(check);
      });
    }
    await verifyAgain(reading, incomplete, incomplete.length > 0 ? findings.absent.newestShown() : 0);
    for (const check of incomplete) results.add(check);
    results.save();
    const { duplicated } = results.sum;
    if (duplicated > 0) store.destinations.learn(target.id, { copiesFoundAtMs: reading.clock.now() });
    const found = insideOnly ? undefined : await actions.finish(since ?? 0, true);
    return { ...results.sum, ...(found && { actions: found }) };
  } finally {
    reading.close();
  }
}

/** Looks whether people are gone whom runs after `since` deactivated. @throws DestinationError if the target cannot be read. */
export async function verifyDeactivations(
  store: Store,
  target: Target,
  options: VerifyOptions & { readonly since: number },
): Promise<VerifyResult['actions']> {
  const findings = openFindings(store, target.id, false);
  const reading = openReading(store, target, { ...options, findings });
  try {
    return await new ActionCheck(reading).finish(options.since, false);
  } finally {
    reading.close();
  }
}

/** Yields the items in lists of the given size. */
function* lotsOf<T>(things: Iterable<T>, size: number): Generator<readonly T[]> {
  let lot: T[] = [];
  for (const thing of things) {
    lot.push(thing);
    if (lot.length < size) continue;
    yield lot;
    lot = [];
  }
  if (lot.length > 0) yield lot;
}

function comparePage(
  { store, advance, load }: Reading,
  check: ConversationCheck,
  actions: ActionCheck,
  page: readonly ListedMessage[],
): void {
  const before = check.counts.same + check.counts.different;
  store.transaction(() => {
    load(page, check.lane);
    for (const listed of page) {
      check.compare(listed);
      actions.check(listed, (row) => check.ownMessage(row));
    }
  })();
  advance(check.counts.same + check.counts.different - before);
}

const checksPerCommit = 200;

/** Adds up what is found, and writes it down conversation by conversation: what was read whole, or inside a filter, in its own place. */
function resultsOf({ store, target, clock }: Reading, insideOnly: boolean) {
  const scope = insideOnly ? 'inside' : 'whole';
  const sum = noCounts();
  /** Written together: each commit waits for the disk, and there may be a million small conversations. */
  const finished: ConversationCheck[] = [];
  const save = store.transaction(() => {
    for (const { lane, counts } of finished.splice(0)) {
      store.checks.save(target.id, scope, { conversation: lane.conversation, ...counts }, clock.now());
      if (insideOnly && counts.missing + counts.extra + counts.different + counts.duplicated > 0)
        store.checks.drop(target.id, lane.conversation);
    }
  });
  return {
    sum,
    save,
    add(check: ConversationCheck): void {
      finish(store, check, sum);
      finished.push(check);
      if (finished.length >= checksPerCommit) save();
    },
  };
}

function finish(store: Store, check: ConversationCheck, sum: ReturnType<typeof noCounts>): void {
  store.transaction(() => check.finish())();
  for (const kind of Object.keys(sum) as (keyof VerifyCounts)[]) sum[kind] += check.counts[kind];
}

/** Several at a time, pulled as they are needed. The first failure stops the others, and is thrown when they have ended. */
async function sideBySide<T>(
  things: Iterable<T>,
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  work: (thing: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const guarded = (thing: T) =>
    work(thing, either).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });
  await inParallel(things, concurrency, guarded, failed.signal);
}

export interface SampleOptions extends VerifyOptions {
  /** Messages to look at; all of them where there are fewer. */
  readonly size: number;
  /** The same seed chooses the same messages of the same store. */
  readonly seed: string;
}

/**
 * Looks at some messages only, chosen at random and spread over the conversations, by reading the seconds around each. It
 * shows whether those are there, once, unchanged and in order; it says nothing about the others, nor about what is there and
 * should not be, so nothing counts as verified afterwards.
 *
 * @throws DestinationError if the target cannot be read.
 */
export async function verifySample(store: Store, target: Target, options: SampleOptions): Promise<VerifyResult> {
  const { size, seed, insideOnly = false } = options;
  const findings = openFindings(store, target.id, insideOnly);
  const chosen = store.checks.sample({ destination: target.id, size, hashOf: hashWith(seed), insideOnly });
  const stage = { name: 'Verifying a sample', total: chosen.messages };
  const reading = openReading(store, target, { ...options, findings }, stage);
  const sum = noCounts();
  findings.differences.clear();
  try {
    const incomplete: ConversationCheck[] = [];
    for (const { conversation, delivered } of store.checks.sampled(target.id)) {
      const check = reading.checkOf(conversation);
      const sought = findings.absent.count(conversation);
      await checkOnce(reading, check, { number: 0, listedCount: delivered });
      reading.advance(sought);
      if (findings.absent.count(conversation) > 0) incomplete.push(check);
      else finish(store, check, sum);
    }
    await verifyAgain(reading, incomplete);
    for (const check of incomplete) finish(store, check, sum);
    return { ...sum, sample: { ...chosen, seed } };
  } finally {
    reading.close();
  }
}

/** The last step of MurmurHash3, which spreads neighbours over 32 bits. */
function hashWith(seed: string): (seq: number) => number {
  const start = Number.parseInt(sha256Hex(seed).slice(0, 8), 16);
  return (seq) => {
    let mixed = (start ^ Math.imul(seq, 0x9e3779b1)) >>> 0;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };
}

/** Decisions about a repair. */
export interface RepairChoices extends Pick<SendChoices, 'sendProfiles' | 'maxFailureShare'> {
  /** Asked with the number of messages to send again; `false` sends nothing. Not asked for the embedded sandbox. */
  readonly confirm?: ((missing: number, destination: string) => Promise<boolean>) | undefined;
}

export interface RepairOptions extends ImportOptions, RepairChoices, Pick<VerifyOptions, 'insideOnly'> {
  readonly counts: RequestCounts;
}

/**
 * Sends what the verification before found missing, and nothing else that is pending, as an import would; then reads those
 * conversations again.
 *
 * @param found What that verification came to.
 * @returns The counts of all conversations that it read, as they are then.
 * @throws DestinationError if it stopped before everything missing was sent: what is left is pending, and an import sends it.
 */
export async function repairMissing(
  store: Store,
  target: Target,
  found: VerifyResult,
  options: RepairOptions,
): Promise<VerifyResult> {
  // Requests are added once, when all are sent.
  const { counts, ...sending } = options;
  const { runId, confirm, insideOnly } = options;
  const count = store.checks.chooseMissing(target.id, insideOnly);
  if (count === 0) return found.missing > 0 ? { ...found, repaired: 0 } : found;
  assertSomethingShown(found, target, insideOnly);
  if (confirm && !target.isEmbedded && !(await confirm(count, target.name))) return { ...found, repaired: 0 };
  store.checks.putBackChosen(target.id);
  const { requests, stopped } = await sendPending(store, target, { ...sending, chosenOnly: true });
  addRequests(counts, requests);
  if (stopped) throw stopped;
  await verify(store, target, { ...options, since: runId - 1, keepsOthers: true });
  return {
    ...store.checks.sum(target.id, insideOnly ? 'inside' : 'whole'),
    repaired: store.checks.countChosenDelivered(target.id),
  };
}

/** Throws if nothing at all is shown. Absence then proves nothing: the destination may simply not list what it has. */
function assertSomethingShown({ same, different }: VerifyResult, { name }: Target, insideOnly = false): void {
  if (same + different > 0) return;
  const ours = insideOnly ? 'no message that --only finds' : 'no message of ours';
  throw new DestinationError(`Cannot repair: ${name} shows ${ours}, so missing messages cannot be determined`, {
    code: 'nothing-shown',
    hint: insideOnly
      ? 'Run "chatferry verify --repair" with a wider --only, or without it'
      : 'If it was emptied, run "chatferry reconcile EXPORT" and then "chatferry import"; else find out why it lists nothing',
  });
}

/**
 * Resolves unconfirmed messages, as an import would, and sends nothing. One of them may occupy the position of a
 * missing message, and an earlier repair that was cut off may have left it.
 *
 * @throws DestinationError if they cannot be resolved.
 */
export async function resolveUnconfirmed(store: Store, target: Target, options: RepairOptions): Promise<void> {
  const { counts, ...sending } = options;
  if (store.batches.countUnconfirmed(target.id) === 0) return;
  store.lanes.choose([]);
  const { requests, stopped } = await sendPending(store, target, { ...sending, chosenOnly: true });
  addRequests(counts, requests);
  if (stopped) throw stopped;
  assertNothingUnconfirmed(store.batches.countUnconfirmed(target.id));
}

function assertNothingUnconfirmed(count: number): void {
  if (count === 0) return;
  throw new DestinationError(
    `Cannot repair while ${formatCount(count)} messages are unconfirmed: it is not known yet whether they arrived`,
    { code: 'unconfirmed', hint: 'Run "chatferry import": it shows why they cannot be confirmed' },
  );
}

/** Files for what a report has no room for. Each line is one JSON object: `docs/guides/verify.md` names the fields. */
export const listNames = { conversations: 'verify.ndjson', differences: 'differences.ndjson' } as const;

/**
 * Writes what reading back found in every conversation, and every difference, of the destination that was used last. The
 * files quote the export, so they are for their owner only, and are replaced whole or not at all.
 *
 * @throws StoreError if a file cannot be written.
 */
export async function writeVerifyLists(storePath: string, folder: string): Promise<void> {
  const store = openStoreToRead(storePath);
  try {
    const destination = store.destinations.latest();
    if (!destination) return;
    makeFolder(folder);
    await replaceFile(join(folder, listNames.conversations), inLines(conversationLines(store, destination.id)));
    await replaceFile(join(folder, listNames.differences), inLines(differenceLines(store, destination.id)));
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new StoreError(`Cannot write what verify found to "${folder}": ${cause.message}`, {
      path: folder,
      hint: 'Pass --report DIR with a directory that can be written',
      cause,
    });
  } finally {
    store.close();
  }
}

function* inLines(objects: Iterable<object>): Generator<string> {
  for (const object of objects) yield `${JSON.stringify(object)}\n`;
}

function* conversationLines(store: Store, destination: number): Generator<object> {
  for (const { conversation: _, id, name, target, readAtMs, ...counts } of store.checks.all(destination))
    yield { conversation: id, name, target, readAt: new Date(readAtMs).toISOString(), ...counts };
}

function* differenceLines(store: Store, destination: number): Generator<object> {
  for (const { kind, muid, sourceId: conversation, detail, path, place } of store.checks.allDifferences(destination))
    yield { kind, muid, conversation, detail, location: path === null ? null : printPlace(path, place ?? '') };
}
