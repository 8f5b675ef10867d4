import type { NewMessage } from '../../model/new-message.ts';
import type { MessageRecord } from '../../model/records.ts';
import type { EarlierMessages } from './earlier-messages.ts';
import type { FerriedMetadata, ServiceData } from './format.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asServiceId } from './conversation.ts';
import { asArray, asObject, asString, describe, secondsToMs, type Untrusted } from '../kit/narrow.ts';

type Ferried = Untrusted<FerriedMetadata>;

/** What an earlier import kept in the message's metadata; nothing if no import of ours wrote it. */
export function ferriedOf(data: Untrusted<ServiceData>, problems: RowProblem[]): Ferried | undefined {
  const ferried = asObject<FerriedMetadata>(asObject<{ chatferry: unknown }>(data.metadata)?.chatferry);
  if (!ferried || ferried.v === 1) return ferried;
  problems.push({
    code: 'unknown-metadata-version',
    reason: `Expected "data.metadata.chatferry.v" to be 1, found ${describe(ferried.v)}: thread, edit and the like were not read back`,
  });
  return undefined;
}

interface Surroundings {
  /** Then a message's id is its muid, and no other has to be known. */
  readonly isImportBody: boolean;
  readonly earlier: EarlierMessages;
  readonly problems: RowProblem[];
}

/** Reads back what has a field in the model. What the service itself says by now is newer, and stays. */
export function addFerried(ferried: Ferried, surroundings: Surroundings, record: NewMessage): void {
  const root = asString(ferried.thread);
  if (root !== undefined) record.threadRoot ??= idOf(root, 'thread', surroundings);
  const quoted = asString(ferried.quote);
  if (quoted !== undefined) record.quoteOf = idOf(quoted, 'quote', surroundings);
  const editedAtMs = secondsToMs(ferried.edited);
  if (editedAtMs !== undefined) record.edited ??= editedAtMs === 0 ? {} : { atMs: editedAtMs };
  if (ferried.broadcast === true) record.isBroadcast = true;
  if (ferried.pinned === true) record.isPinned = true;
  if (ferried.deleted === true) record.isDeleted = true;
  const system = asString(ferried.system);
  if (system !== undefined) record.systemEvent ??= system;
  const custom = asObject(ferried.custom) as MessageRecord['custom'];
  if (custom) record.custom = { ...record.custom, ...custom };
  const mentioned = asArray(ferried.mentions)
    .map(asServiceId)
    .filter((uid) => uid !== undefined);
  if (mentioned.length > 0) record.mentions = [...new Set([...(record.mentions ?? []), ...mentioned])];
}

/**
 * The id of a message that is named by muid. One that is not known keeps its muid: those that answer in the thread of a message
 * which was never imported still belong together.
 */
function idOf(muid: string, link: 'thread' | 'quote', { isImportBody, earlier, problems }: Surroundings): string {
  const id = isImportBody ? muid : earlier.idOf(muid);
  if (id !== undefined) return id;
  const what = link === 'thread' ? 'The root of its thread' : 'The message that it quotes';
  problems.push({
    code: `${link}-not-found`,
    reason: `${what} (muid "${muid.slice(0, 100)}") does not stand before it in this file: the link is kept, and leads nowhere`,
  });
  return muid;
}
