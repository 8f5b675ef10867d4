import { type MessageRecord, messageSchema } from '../../model/records.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asArray, asObject, asString, describe, secondsToMs, type Untrusted } from '../kit/narrow.ts';
import { asServiceId } from './conversation.ts';
import type { ImportedMetadata, ServiceData } from './format.ts';

type Imported = Untrusted<ImportedMetadata>;

/** Returns the data that an earlier import stored in the message's metadata; undefined if no import of Chatferry wrote it. */
export function readImportedMetadata(data: Untrusted<ServiceData>, problems: RowProblem[]): Imported | undefined {
  const imported = asObject<ImportedMetadata>(asObject<{ chatferry: unknown }>(data.metadata)?.chatferry);
  if (!imported || imported.v === 1) return imported;
  problems.push({
    code: 'unknown-metadata-version',
    reason: `Expected "data.metadata.chatferry.v" to be 1, found ${describe(imported.v)}: thread, edit and the like were not read back`,
  });
  return undefined;
}

interface MetadataContext {
  /** Then a message's id is its muid, and no other has to be known. */
  readonly isImportBody: boolean;
  readonly earlier: EarlierMessages;
  readonly problems: RowProblem[];
}

/** Reads back data that has a field in the model. Current data of the service itself is newer, and wins. */
export function readFields(imported: Imported, context: MetadataContext): Partial<MessageRecord> {
  const editedAtMs = secondsToMs(imported.edited);
  return {
    mentions: asArray(imported.mentions).flatMap((uid) => asServiceId(uid) ?? []),
    threadRoot: readLink(imported.thread, 'thread', context),
    isBroadcast: imported.broadcast === true,
    quoteOf: readLink(imported.quote, 'quote', context),
    edited: editedAtMs === undefined ? undefined : { atMs: editedAtMs || undefined },
    isDeleted: imported.deleted === true,
    systemEvent: asString(imported.system),
    internal: messageSchema.unwrap().shape.internal.safeParse(imported.internal).data,
    isPinned: imported.pinned === true,
    custom: asObject(imported.custom) as MessageRecord['custom'],
  };
}

/** The id of a message that is named by muid; nothing for one that is not known, since a key of it would lead nowhere. */
function readLink(
  value: unknown,
  link: 'thread' | 'quote',
  { isImportBody, earlier, problems }: MetadataContext,
): string | undefined {
  const muid = asString(value);
  if (muid === undefined) return undefined;
  const id = isImportBody ? muid : earlier.idOf(muid);
  if (id !== undefined) return id;
  const what = link === 'thread' ? 'The root of its thread' : 'The message that it quotes';
  problems.push({
    code: `${link}-not-found`,
    reason: `${what} (muid "${muid.slice(0, 100)}") does not precede it in this file: the link is left out`,
  });
  return undefined;
}

/** Messages of one generation, about 150 bytes each: with the one before, 15 to 30 MB. */
const generationSize = 100_000;

/**
 * Ids of the messages before the one at hand, by muid: an earlier import names the root of a thread and a quoted message by
 * muid. Knows the last 100,000 to 200,000 of them; a thread rarely goes on for longer.
 *
 * Forgets by generations, because a map from which the oldest key is taken each time gets slow: it steps over all that is gone.
 */
export class EarlierMessages {
  #ids = new Map<string, string>();
  #older = new Map<string, string>();

  add(muid: string, id: string): void {
    if (this.#ids.size >= generationSize) {
      this.#older = this.#ids;
      this.#ids = new Map();
    }
    this.#ids.set(muid, id);
  }

  idOf(muid: string): string | undefined {
    return this.#ids.get(muid) ?? this.#older.get(muid);
  }
}
