import { sampledConversations, sampleMessages } from '../checkpoint/repair/sample-messages.ts';
import type { Store } from '../checkpoint/base/store.ts';
import { laneReader } from '../checkpoint/delivery/touched-lanes.ts';
import { sha256Hex } from '../lib/hash.ts';
import type { VerifyCounts, VerifyResult } from '../model/books.ts';
import type { Target } from '../upload/target.ts';
import type { VerifyOptions } from './verify.ts';
import { type ConversationCheck, noCounts } from './conversation-check.ts';
import { openFindings } from './findings.ts';
import { openReading } from './reading.ts';
import { lookAgain, lookAt } from './second-look.ts';

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
  const { clock, progress, signal, size, seed, insideOnly = false } = options;
  const findings = openFindings(store, target.id, insideOnly);
  const chosen = sampleMessages(store.db, { destination: target.id, size, hashOf: hashWith(seed), insideOnly });
  const stage = progress.stage('Verifying a sample', { total: chosen.messages });
  const sum = noCounts();
  let done = 0;
  const onWait = (ms: number, why: string) => stage.update({ done, waiting: why, waitMs: ms });
  const reading = openReading(store, target, { ...options, findings, onWait });
  const laneOf = laneReader(store.db, target.id);
  const look = { findings, reading, profile: target.profile, clock, onWait, signal };
  findings.differences.clear();

  const finish = (check: ConversationCheck) => {
    store.db.transaction(() => check.finish())();
    for (const kind of Object.keys(sum) as (keyof VerifyCounts)[]) sum[kind] += check.counts[kind];
  };
  try {
    const incomplete: ConversationCheck[] = [];
    for (const { conversation, delivered } of eachConversation(store, target.id)) {
      const check = reading.check(laneOf(conversation));
      const sought = findings.absent.count(conversation);
      await lookAt(store, check, { ...look, number: 0, listedCount: delivered });
      done += sought;
      stage.update({ done });
      if (findings.absent.count(conversation) > 0) incomplete.push(check);
      else finish(check);
    }
    await lookAgain(store, incomplete, look);
    for (const check of incomplete) finish(check);
    return { ...sum, sample: { ...chosen, seed } };
  } finally {
    stage.finish();
    reading.close();
  }
}

function* eachConversation(store: Store, destination: number) {
  const pageAfter = sampledConversations(store.db, destination);
  let after = 0;
  for (;;) {
    const page = pageAfter(after);
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)!.conversation;
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
