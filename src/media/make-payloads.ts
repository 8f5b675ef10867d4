import { createMergeIndexes } from '../checkpoint/base/message-indexes.ts';
import { planNumber, readMeta } from '../checkpoint/base/meta.ts';
import type { Store } from '../checkpoint/base/store.ts';
import {
  madePayloads,
  type NotedMessage,
  notedMessages,
  type UsedFile,
  usedFilesReader,
} from '../checkpoint/media/media-messages.ts';
import { placeFollowUps } from '../checkpoint/staging/follow-ups.ts';
import type { Facts } from '../mapping/message/facts.ts';
import type { PictureFacts } from '../mapping/message/metadata.ts';
import {
  factsWithFiles,
  filesOfPayload,
  type PlannedFile,
  payloadWithFiles,
  type SettledFile,
} from '../mapping/message/payload-with-files.ts';
import type { MissingMedia } from '../mapping/rules/media.ts';
import { defaultRules, type Rules } from '../mapping/rules/rules.ts';
import type { DriftPolicy } from '../model/change.ts';
import { DriftNotes } from '../plan/drift-notes.ts';
import { payloadDigest } from './note-files.ts';

export interface MakeOptions {
  /** What becomes of a message whose file was not copied. */
  readonly missing: MissingMedia;
  /** How people are told of a file that was copied after its message had left. */
  readonly drift: DriftPolicy;
  readonly nowMs: number;
  /** Bytes of `data` that the destination takes. */
  readonly dataBytesMax: number | undefined;
}

/**
 * Puts the new addresses into the payloads of messages, before their first intent: they are sent, read back and explained from there. One
 * whose file was not copied waits, or goes with what it had. What was sent before stays in the books as it was sent, and the
 * difference is told as a change at the source.
 *
 * Goes through the messages with files once.
 */
export function makePayloads(store: Store, options: MakeOptions): void {
  const { db } = store;
  const filesOf = usedFilesReader(db);
  const payloads = madePayloads(db);
  const notes = new DriftNotes(db, { ...options, policy: options.drift, plan: planNumber(db) });
  const rules = rulesOf(store);
  store.kept?.forget();
  const make = db.transaction((page: readonly NotedMessage[]) => {
    for (const message of page) {
      const used = filesOf(message.seq);
      const waits = options.missing === 'wait' && message.wasSent === 0 && used.some(({ state }) => state !== 'copied');
      if (waits) {
        if (message.waits === 0) payloads.note(message.seq, null, true);
        continue;
      }
      const files = filesOfPayload(message.planned, message.files);
      const payload = madeOf(message, files, used, { missing: options.missing, rules });
      if (payload !== message.payload) {
        const facts = factsOf(message, payload);
        payloads.replace(message.seq, payload, facts);
        if (message.wasSent === 1) {
          createMergeIndexes(db);
          tellChange(notes, message, { payload, facts });
        }
      }
      payloads.note(message.seq, payloadDigest(payload), false);
    }
  });
  for (const page of notedMessages(db)) make.immediate(page);
  placeFollowUps(db);
}

const rulesOf = ({ db }: Store): Rules['messages'] =>
  (JSON.parse(readMeta(db, 'rules') ?? 'null') as Rules | null)?.messages ?? defaultRules.messages;

function madeOf(
  { planned }: NotedMessage,
  files: readonly PlannedFile[],
  used: readonly UsedFile[],
  { missing, rules }: { readonly missing: MissingMedia; readonly rules: Rules['messages'] },
): string {
  const settled = used.map((file) => settledFile(file, missing));
  if (settled.every(({ kind }) => kind === 'original')) return planned;
  return payloadWithFiles(planned, files, settled, rules);
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

function factsOf({ facts, payload }: NotedMessage, after: string): string | null {
  return facts === null ? null : JSON.stringify(factsWithFiles(JSON.parse(facts) as Facts, payload, after));
}

function tellChange(
  notes: DriftNotes,
  message: NotedMessage,
  { payload, facts }: { readonly payload: string; readonly facts: string | null },
): void {
  const digest = `${message.recordDigest} ${payloadDigest(payload)}`;
  notes.changed(
    { ...message, recordDigest: digest, payload, facts, part: message.part ?? undefined },
    { ...message, vanished: 0 },
  );
}
