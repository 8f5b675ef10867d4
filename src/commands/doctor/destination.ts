import { existsSync } from 'node:fs';
import { deliveredConversation } from '../../checkpoint/delivery/delivered-conversation.ts';
import { destinationByAddress } from '../../checkpoint/base/destinations.ts';
import { type SeenDuplicates, seenDuplicates } from '../../checkpoint/delivery/duplicates.ts';
import { openStoreToRead } from '../../checkpoint/base/store.ts';
import { StoreError } from '../../lib/errors.ts';
import { profileOf } from '../../upload/target.ts';
import { judgeAddress } from './address.ts';
import { type Asked, ask } from './ask.ts';
import { badError } from './bad-error.ts';
import { judgeClock } from './clock.ts';
import { judgeDuplicates } from './duplicates.ts';
import { type Finding, good } from './finding.ts';
import { judgeKey, judgeNoKey } from './key.ts';
import { judgeLimits } from './limits.ts';
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts';
import { judgeReadBack, lookedAt } from './read-back.ts';

export type DestinationRequest = ConnectionOptions & {
  /** It will be seen in a moment: what is known of duplicates until now is no matter. */
  readonly probeDuplicates: boolean;
  readonly signal: AbortSignal;
};

/** Everything that can be seen of a destination by listing messages. Sends nothing, and the key only to whoever asks for one. */
export async function* examineDestination(request: DestinationRequest): AsyncGenerator<Finding> {
  let connection: Connection | undefined;
  try {
    connection = await openConnection(request);
  } catch (error) {
    yield badError('address', error);
    return;
  }
  if (!connection) {
    yield good('address', 'The embedded sandbox: the first import makes it; it needs no key and no network');
    return;
  }
  try {
    yield* examineConnection(connection, request);
  } catch (error) {
    yield badError('key', error);
  } finally {
    await connection.close();
  }
}

async function* examineConnection(connection: Connection, request: DestinationRequest): AsyncGenerator<Finding> {
  const { clock, signal } = request;
  const known = knownOf(request.store, connection.address);
  let look: Asked;
  if (connection.isEmbedded) {
    yield good('address', `${capitalised(connection.name)}: needs no key and no network, and its clock is this one`);
    look = await ask({ limit: lookedAt }, { ...connection, clock }, signal);
  } else {
    // Without the key first: it goes only to somebody who answers as the chat service does, or asks for it.
    const stranger = await ask({ limit: 1 }, { ...connection, clock, apiKey: undefined }, signal);
    const isGuarded = stranger.wantsKey && connection.apiKey !== undefined;
    look = isGuarded ? await ask({ limit: lookedAt }, { ...connection, clock }, signal) : stranger;
    yield judgeAddress(connection.name, stranger.byService ? stranger : look);
    if (!stranger.byService && !look.byService) return;
    if (!connection.apiKey) {
      yield judgeNoKey(stranger.outcome.kind === 'answered');
      yield judgeClock(stranger);
      return;
    }
    if (!isGuarded) look = await ask({ limit: lookedAt }, { ...connection, clock }, signal);
    yield judgeKey(look);
    yield judgeClock(look);
  }
  const profile = profileOf(request);
  yield judgeLimits(look, profile);
  if (look.outcome.kind === 'failed') return;
  const ours = known.conversationId;
  if (ours !== undefined) look = await ask({ conversationId: ours, limit: lookedAt }, { ...connection, clock }, signal);
  yield judgeReadBack(look.outcome, ours !== undefined);
  if (request.probeDuplicates) return;
  yield judgeDuplicates(profile, { override: request.overrides.duplicates, seen: known.seen });
}

const capitalised = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());

interface Known {
  readonly seen: SeenDuplicates | undefined;
  /** Of a conversation into which something was imported there. */
  readonly conversationId: string | undefined;
}

/** What the store knows of the destination; a store that does not open is a finding of its own. */
function knownOf(storePath: string, address: string): Known {
  const nothing = { seen: undefined, conversationId: undefined };
  if (!existsSync(storePath)) return nothing;
  try {
    const store = openStoreToRead(storePath);
    try {
      const destination = destinationByAddress(store.db, address);
      if (!destination) return nothing;
      const { id } = destination;
      return { seen: seenDuplicates(store.db, id), conversationId: deliveredConversation(store.db, id) };
    } finally {
      store.close();
    }
  } catch (error) {
    if (error instanceof StoreError) return nothing;
    throw error;
  }
}
