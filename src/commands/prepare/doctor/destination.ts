import { existsSync } from 'node:fs';
import type { SeenDuplicates } from '../../../store/destinations.ts';
import { readStore } from '../../../store/open.ts';
import { StoreError } from '../../../lib/errors.ts';
import { exitCodes } from '../../../model/exit-codes.ts';
import { formatBytes, formatDuration } from '../../../lib/text/quantity.ts';
import { countOf, formatCount, formatDay } from '../../../report/format.ts';
import type { MessagePage, ReadOutcome } from '../../../service/outcome.ts';
import { DeliveryClient, type FirstContact } from '../../../service/delivery-client.ts';
import type { Profile } from '../../../service/profiles.ts';
import { keyOf } from '../../../delivery/compare.ts';
import { profileOf } from '../../../delivery/target.ts';
import {
  ask,
  type Asked,
  errorFinding,
  type Connection,
  type ConnectionOptions,
  judgeAddress,
  openConnection,
} from './connection.ts';
import { error, ok, warning } from '../finding.ts';
import { judgeClock, judgeKey, judgeNoKey } from './program.ts';
import type { DoctorFinding } from '../../results.ts';

export type DestinationRequest = ConnectionOptions & {
  /** It will be seen in a moment: what is known of duplicates until now is no matter. */
  readonly probeDuplicates: boolean;
  readonly signal: AbortSignal;
};

/** Reports everything that listing messages shows of a destination. Sends no messages, and sends the key only to a server that asks for one. */
export async function* examineDestination(request: DestinationRequest): AsyncGenerator<DoctorFinding> {
  let connection: Connection | undefined;
  try {
    connection = await openConnection(request);
  } catch (error) {
    yield errorFinding('address', error);
    return;
  }
  if (!connection) {
    yield ok(
      'address',
      'The embedded sandbox: the first import makes it; it needs no key and no network. --app-id and --region name an app of the hosted service instead',
    );
    return;
  }
  try {
    yield* examineConnection(connection, request);
  } catch (error) {
    yield errorFinding('key', error);
  } finally {
    await connection.close();
  }
}

async function* examineConnection(connection: Connection, request: DestinationRequest): AsyncGenerator<DoctorFinding> {
  const { clock, signal } = request;
  const known = knownOf(request.store, connection.address);
  let contact: Asked;
  if (connection.isEmbedded) {
    yield ok('address', `${capitalised(connection.name)}: needs no key and no network, and its clock is this one`);
    contact = await ask({ limit: sampleSize }, { ...connection, clock }, signal);
  } else {
    // Asks without the key first: the key goes only to a server that answers as the chat service does, or asks for it.
    const stranger = await ask({ limit: 1 }, { ...connection, clock, apiKey: undefined }, signal);
    const isGuarded = stranger.wantsKey && connection.apiKey !== undefined;
    contact = isGuarded ? await ask({ limit: sampleSize }, { ...connection, clock }, signal) : stranger;
    yield judgeAddress(connection.name, stranger.byService ? stranger : contact);
    if (!stranger.byService && !contact.byService) return;
    if (!connection.apiKey) {
      yield judgeNoKey(stranger.outcome.kind === 'answered');
      yield judgeClock(stranger);
      return;
    }
    if (!isGuarded) contact = await ask({ limit: sampleSize }, { ...connection, clock }, signal);
    yield judgeKey(contact);
    yield judgeClock(contact);
  }
  const profile = profileOf(request);
  yield judgeLimits(contact, profile);
  if (contact.outcome.kind === 'failed') return;
  const ours = known.conversationId;
  if (ours !== undefined)
    contact = await ask({ conversationId: ours, limit: sampleSize }, { ...connection, clock }, signal);
  yield judgeReadBack(contact.outcome, ours !== undefined);
  if (profile.people === 'import') yield await judgePeople(connection, signal);
  if (request.probeDuplicates) return;
  yield judgeDuplicates(profile, { override: request.overrides.duplicates, seen: known.seen });
}

const capitalised = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());

/** Returns what the store knows of the destination; a store that does not open is a finding of its own. */
function knownOf(storePath: string, address: string) {
  const nothing = { seen: undefined, conversationId: undefined };
  if (!existsSync(storePath)) return nothing;
  try {
    return readStore(storePath, (store) => {
      const destination = store.destinations.find(address);
      if (!destination) return nothing;
      const { id } = destination;
      return { seen: store.destinations.duplicates(id), conversationId: store.destinations.deliveredConversation(id) };
    });
  } catch (error) {
    if (error instanceof StoreError) return nothing;
    throw error;
  }
}

function judgeLimits({ outcome, hints, rateHeaders }: FirstContact, profile: Profile): DoctorFinding {
  const { name, batchItemsMax, batchBytesMax, importsPerMinute, readsPerMinute } = profile;
  const rate =
    importsPerMinute === undefined ? 'no fixed rate, every 429 obeyed' : `${formatCount(importsPerMinute)} a minute`;
  const plan = `Imports of ${batchItemsMax} messages and ${formatBytes(batchBytesMax)} at most, ${rate} (profile ${name})`;
  const { limitPerMinute, remaining } = hints;
  if (outcome.kind === 'failed' && outcome.why === 'rate-limited') {
    const wait = outcome.retryAfterMs === undefined ? '' : `, and asks for ${formatDuration(outcome.retryAfterMs)}`;
    return warning(
      'limits',
      `The service turns down listings at this moment (429${wait}). ${plan}`,
      'Is another program using up the rate? An import waits as long as it is asked to',
    );
  }
  if (limitPerMinute === undefined) {
    return ok(
      'limits',
      `${plan}. ${rateHeaders.length === 0 ? 'Answers have no rate headers' : `The rate headers (${rateHeaders.join(', ')}) are not understood`}`,
    );
  }
  const left = remaining === undefined ? '' : `, ${formatCount(remaining)} left`;
  const says = `${plan}. Listings: ${formatCount(limitPerMinute)} a minute${left} (${rateHeaders.join(', ')})`;
  if (readsPerMinute !== undefined && limitPerMinute < readsPerMinute) {
    return warning(
      'limits',
      `${says}, fewer than the profile says (${formatCount(readsPerMinute)})`,
      'No action needed: an import waits when the service asks for it, and verifying takes longer',
    );
  }
  return ok('limits', says);
}

/** Whether there is an operation that imports users. An import of none changes nothing. */
async function judgePeople({ transport, apiKey }: Connection, signal: AbortSignal): Promise<DoctorFinding> {
  const client = new DeliveryClient({ transport, apiKey: apiKey! });
  const outcome = await client.importItems('people', '{"users":{}}', [], signal);
  if (
    outcome.kind === 'answered' ||
    (outcome.code !== apiNotFound && outcome.status !== undefined && outcome.status < 500)
  )
    return ok('people', 'People, groups and members can be imported: they come before the messages');
  if (outcome.code === apiNotFound)
    return error(
      'people',
      'The service has no operation that imports users',
      'Pass --people with-messages: people and groups come with their messages then',
      exitCodes.usage,
    );
  return warning(
    'people',
    `It is not known whether the service imports users: ${outcome.code}: ${outcome.detail}`,
    'Run it again; without these operations an import stops before its first message',
  );
}

const apiNotFound = 'ERR_API_NOT_FOUND';

function judgeDuplicates(
  profile: Profile,
  {
    override,
    seen,
  }: { readonly override: Profile['duplicates'] | undefined; readonly seen: SeenDuplicates | undefined },
): DoctorFinding {
  const waits = `after a lost answer an import reads back and waits up to ${formatDuration(profile.graceLongMs)}`;
  if (override) return ok('duplicates', `Taken as "${override}", as --duplicates says`);
  if (seen?.duplicates === 'refused') {
    return ok('duplicates', `A muid that is there already is refused (seen on ${formatDay(seen.seenAtMs)})`);
  }
  if (seen) {
    return warning(
      'duplicates',
      `A muid that is there already is stored a second time (seen on ${formatDay(seen.seenAtMs)}): ${waits}`,
      'Leave --grace-period as it is or longer; never pass --duplicates refused here',
    );
  }
  if (profile.duplicates === 'refused')
    return ok('duplicates', `A muid that is there already is refused (profile ${profile.name})`);
  return warning(
    'duplicates',
    `It is unknown what happens to a muid that is there already: ${waits}`,
    'chatferry doctor --probe-duplicates checks this, and first shows what it leaves there',
  );
}

/** So many messages show enough of how a service lists them. */
const sampleSize = 50;

/**
 * Whether what was sent can be recognised when it is listed: by its muid, else by the key in its metadata.
 *
 * @param isOurs The page is of a conversation into which the store has imported.
 */
function judgeReadBack(outcome: ReadOutcome<MessagePage>, isOurs: boolean): DoctorFinding {
  if (outcome.kind === 'failed') {
    return error(
      'read-back',
      `Messages cannot be listed: ${outcome.code}: ${outcome.detail}`,
      'Run it again when the service answers',
      exitCodes.stopped,
    );
  }
  const { messages } = outcome.value;
  const listed = `${countOf(messages.length, 'message')} listed`;
  if (messages.length === 0) {
    return isOurs
      ? warning(
          'read-back',
          'The store says that messages were imported, and their conversation lists none',
          'chatferry verify compares everything; was the destination emptied?',
        )
      : ok('read-back', 'Nothing is listed yet, so it cannot be seen how messages are shown');
  }
  const withMuid = messages.filter(({ muid }) => muid !== undefined).length;
  if (withMuid > 0) return ok('read-back', `Listings show muids (${withMuid} of ${listed})`);
  if (messages.some((message) => keyOf(message) !== undefined)) {
    return ok(
      'read-back',
      `Listings show no muids; our messages are recognised by the key in their metadata (${listed})`,
    );
  }
  return warning(
    'read-back',
    `None of ${listed} shows a muid or our key`,
    isOurs
      ? 'Messages without an answer could not be found again: see that a mapping module keeps data.metadata.chatferry.key'
      : 'They may be of other programs: import one conversation (--only) and look again',
  );
}
