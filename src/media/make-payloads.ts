import type { Store } from '../store/open.ts';
import type { NotedMessage, UsedFile } from '../store/media.ts';
import type { Facts, PictureFacts } from '../model/facts.ts';
import {
  factsWithFiles,
  listPayloadFiles,
  payloadWithFiles,
  type SettledFile,
  payloadWithin,
} from '../mapping/payload.ts';
import { defaultRules, type Rules, type MissingMedia } from '../mapping/rules.ts';
import type { DriftPolicy } from '../model/change.ts';
import { DriftNotes } from '../plan/drift-notes.ts';
import { payloadDigest } from './note-files.ts';

export interface MakeOptions {
  /** Treatment of messages whose file was not copied. */
  readonly missing: MissingMedia;
  /** How to report a file that was copied after its message had been sent. */
  readonly drift: DriftPolicy;
  readonly nowMs: number;
  /** Bytes of `data` that the destination takes. */
  readonly dataBytesMax: number | undefined;
}

/**
 * Puts the new addresses into the payloads of messages, before their first intent. Messages are sent, read back and
 * explained from these payloads. A message whose file was not copied waits, or is sent without a new address. A message
 * that was sent before stays in the store as it was sent, and the difference is reported as a change at the source.
 *
 * Goes through the messages with files once.
 */
export function makePayloads(store: Store, options: MakeOptions): void {
  const tellChange = changeTeller(store, options);
  const rules = rulesOf(store);
  const make = store.transaction((page: readonly NotedMessage[]) => {
    for (const message of page) {
      const used = store.media.usedFiles(message.seq);
      const waits = options.missing === 'wait' && used.some(({ state }) => state !== 'copied');
      // A message that was sent to one destination waits at the others. The destination that has it gets a report with
      // the files copied so far.
      const isAsPlanned = waits && message.wasSent === 0;
      const payload = isAsPlanned ? message.planned : madeOf(message, used, { ...options, rules });
      if (payload !== message.payload) {
        const facts = factsOf(message, payload);
        store.media.replacePayload(message.seq, payload, facts);
        if (message.wasSent === 1) tellChange(message, { payload, facts });
      }
      const made = isAsPlanned ? null : payloadDigest(payload);
      if (made !== message.made || waits !== (message.waits === 1)) store.media.noteMade(message.seq, made, waits);
    }
  });
  for (const page of store.media.notedMessages()) make(page);
  store.messages.followUps.place();
}

const rulesOf = (store: Store): Rules['messages'] =>
  (JSON.parse(store.facts.read('rules') ?? 'null') as Rules | null)?.messages ?? defaultRules().messages;

interface Making extends Pick<MakeOptions, 'missing' | 'dataBytesMax'> {
  readonly rules: Rules['messages'];
}

/** Returns the payload with the results for its files. If that is more than the destination takes, files at its end stay as planned. */
function madeOf(
  { planned, files: order }: NotedMessage,
  used: readonly UsedFile[],
  { missing, dataBytesMax = Number.POSITIVE_INFINITY, rules }: Making,
): string {
  const files = listPayloadFiles(planned, order);
  const settled = used.map((file) => settledFile(file, missing));
  for (let left = settled.length; left > 0; left--) {
    if (settled.every(({ kind }) => kind === 'original')) return planned;
    const payload = payloadWithin(payloadWithFiles(planned, files, settled, rules), dataBytesMax);
    if (payload !== undefined) return payload;
    settled[left - 1] = { kind: 'original' };
  }
  return planned;
}

function settledFile(
  { state, reason, address, contentType, sizeBytes, facts }: UsedFile,
  missing: MissingMedia,
): SettledFile {
  if (state === 'copied')
    return {
      kind: 'copied',
      url: address!,
      mimeType: contentType!,
      sizeBytes: sizeBytes!,
      picture: facts === null ? undefined : (JSON.parse(facts) as PictureFacts),
    };
  return missing === 'name' ? { kind: 'name', why: reason ?? 'not copied' } : { kind: 'original' };
}

const factsOf = ({ facts, payload }: NotedMessage, after: string): string | null =>
  facts === null ? null : JSON.stringify(factsWithFiles(JSON.parse(facts) as Facts, payload, after));

/** Returns a function that reports the files of a message if it was sent with others. */
function changeTeller(store: Store, options: MakeOptions) {
  const notes = new DriftNotes(store, { ...options, policy: options.drift, plan: store.facts.planNumber() });
  return (message: NotedMessage, { payload, facts }: { readonly payload: string; readonly facts: string | null }) => {
    const digest = `${message.recordDigest} ${payloadDigest(payload)}`;
    for (const { destination, payload: sent } of store.media.sentOtherwise(message.seq, payload, digest)) {
      store.messages.createMergeIndexes();
      notes.changed(
        { ...message, recordDigest: digest, payload, facts, part: message.part ?? undefined },
        { ...message, payload: sent, vanished: 0 },
        [destination],
      );
    }
  };
}
