import { openStore } from '../../../store/open.ts';
import { UsageError } from '../../../lib/errors.ts';
import { retry } from '../../../lib/flow/retry.ts';
import type { Secret } from '../../../lib/secret.ts';
import { exitCodes } from '../../../model/exit-codes.ts';
import { DeliveryClient } from '../../../service/delivery-client.ts';
import type { ImportOutcome, MessageAnswer } from '../../../service/outcome.ts';
import type { Profile } from '../../../service/profiles.ts';
import type { Pace } from '../../../delivery/pace.ts';
import { keyOf } from '../../../delivery/compare.ts';
import { wireMessage } from '../../../delivery/lanes.ts';
import { paceOf, profileOf } from '../../../delivery/target.ts';
import { errorFinding, type Connection, type ConnectionOptions, openConnection } from './connection.ts';
import { error, ok, warning } from '../finding.ts';
import type { DoctorFinding } from '../../results.ts';

export type ProbeOptions = ConnectionOptions & {
  /** In [0, 1): makes the muid a new one. */
  readonly random: () => number;
  readonly signal: AbortSignal;
};

/** Result of importing one muid twice; the text gives the reason if it is unclear. */
type Seen = 'refused' | 'stored' | { readonly unclear: string };

/**
 * Imports one message twice into a scratch conversation, and reads it back. The result is remembered in the store for
 * this destination, and later imports rely on it. Takes the store's lock.
 */
export async function probeDuplicates(options: ProbeOptions): Promise<DoctorFinding> {
  try {
    const connection = await openConnection(options);
    if (!connection) return ok('duplicates', 'The embedded sandbox refuses a muid that it has');
    try {
      return await probeOver(connection, options);
    } finally {
      await connection.close();
    }
  } catch (error) {
    return errorFinding('duplicates', error);
  }
}

/** The store first: what cannot be remembered need not be sent. */
async function probeOver(connection: Connection, options: ProbeOptions): Promise<DoctorFinding> {
  const { clock } = options;
  const profile = profileOf(options);
  const store = openStore(options.store, { command: 'doctor', nowMs: clock.now() });
  try {
    const client = new DeliveryClient({ transport: connection.transport, apiKey: apiKeyOf(connection), clock });
    const pace = paceOf(connection.address, profile, options, () => {});
    try {
      const seen = await probe({ client, pace, profile }, options);
      if (typeof seen === 'string') {
        const destination = { address: connection.address, name: connection.name, profile: profile.name };
        store.destinations.learnDuplicates(destination, { duplicates: seen, seenAtMs: clock.now() });
      }
      return findingOf(seen);
    } finally {
      pace.close();
    }
  } finally {
    store.close();
  }
}

function apiKeyOf({ apiKey, name }: Connection): Secret {
  if (apiKey) return apiKey;
  throw new UsageError(`Cannot probe ${name}: no API key`, { hint: 'Set CHATFERRY_API_KEY, or pass --api-key-file' });
}

interface Service {
  readonly client: DeliveryClient;
  readonly pace: Pace;
  readonly profile: Profile;
}

function findingOf(seen: Seen): DoctorFinding {
  const left = `Left behind: group "${scratch.guid}", user "${scratch.uid}"`;
  if (seen === 'refused') {
    return ok(
      'duplicates',
      `The second message with the same muid was refused. This is recorded; later imports retry at once. ${left}, one message`,
    );
  }
  if (seen === 'stored') {
    return warning(
      'duplicates',
      `The second message with one muid was stored as well: remembered. ${left}, two messages`,
      'Leave --grace-period as it is or longer: an import reads back before it repeats',
    );
  }
  return error(
    'duplicates',
    `Not seen: ${seen.unclear}. ${left} may be there`,
    'Run it again; until then imports read back before they repeat',
    exitCodes.stopped,
  );
}

async function probe(service: Service, options: ProbeOptions): Promise<Seen> {
  const muid = newMuid(options.random);
  const body = scratchBody(service.profile, muid, options.clock.now());
  const first = await importOne(service, { muid, body }, options);
  if (first !== 'imported') return { unclear: `the first message was not imported: ${first}` };
  const second = await importOne(service, { muid, body }, options);
  const isRefused = second === 'already-exists';
  const copies = await countCopies(service, muid, isRefused ? 1 : 2, options);
  if (copies > 1) return 'stored';
  if (isRefused) return 'refused';
  if (second !== 'imported') return { unclear: `the second message returned ${second}` };
  // Overwritten, ignored, or not listed yet: no promise for a message whose answer is lost.
  return { unclear: `both were answered with success, and ${copies} of them ${copies === 1 ? 'is' : 'are'} listed` };
}

const attemptsMax = 3;
const waitMaxMs = 60_000;

/** Sends it, again only where it surely was not applied. @returns What was said of it, else why nothing is known. */
async function importOne(
  { client, pace }: Service,
  { muid, body }: { readonly muid: string; readonly body: string },
  { clock, random, signal }: ProbeOptions,
): Promise<MessageAnswer['result'] | (string & {})> {
  const request = async () => {
    await pace.take('import', signal);
    const outcome = await client.importBatch(body, [muid], signal);
    pace.learn('import', outcome.hints);
    return outcome;
  };
  const again = (outcome: ImportOutcome, attempt: number) => {
    const isRepeatable =
      outcome.kind === 'not-applied' && (outcome.why === 'rate-limited' || outcome.why === 'unreachable');
    if (!isRepeatable || attempt >= attemptsMax || (outcome.retryAfterMs ?? 0) > waitMaxMs) return undefined;
    return { initialMs: 4_000, retryAfterMs: outcome.retryAfterMs };
  };
  const outcome = await retry(request, { again, clock, random, signal });
  return outcome.kind === 'answered' ? answerOf(outcome, muid) : `${outcome.code}: ${outcome.detail}`;
}

function answerOf({ answers }: Extract<ImportOutcome, { kind: 'answered' }>, muid: string): string {
  const answer = answers.get(muid);
  if (!answer) return 'an answer that does not mention it';
  return answer.result === 'refused' ? `${answer.code}: ${answer.detail}` : answer.result;
}

/** Waits before each look: a listing may be behind, and the copy that it shows first may be the second one. */
const checksAfterMs = [0, 1_000, 3_000, 6_000] as const;

/** How often the muid is listed, at most; looks until it is listed as often as expected, or for ten seconds. */
async function countCopies(
  { client, pace }: Service,
  muid: string,
  expected: number,
  { clock, signal }: ProbeOptions,
): Promise<number> {
  let copies = 0;
  for (const waitMs of checksAfterMs) {
    await clock.sleep(waitMs, signal);
    await pace.take('read', signal);
    const query = { conversationId: `group_${scratch.guid}`, affix: 'prepend' as const, limit: 100 };
    const outcome = await client.listMessages(query, signal);
    if (outcome.kind === 'failed') continue;
    const ids = outcome.value.messages.filter((message) => keyOf(message) === muid).map(({ id }) => id);
    copies = Math.max(copies, new Set(ids).size);
    if (copies >= expected) break;
  }
  return copies;
}

/** The conversation of the probe. It names itself, so that a person who finds it knows where it came from. */
export const scratch = {
  uid: 'chatferry-scratch',
  guid: 'chatferry-scratch',
  name: 'Chatferry scratch (may be deleted)',
} as const;

/** Describes what a probe leaves behind, as the rest of a sentence. */
export const leftBehind = `the user "${scratch.uid}", the private group "${scratch.guid}" (both named "${scratch.name}"), and in it one message of this moment, or two if the service stores it twice`;

/** `[a-z0-9]`, and begins with a letter: keys that look like numbers change places in JSON. */
const newMuid = (random: () => number): string =>
  `scratch${Array.from({ length: 10 }, () => Math.floor(random() * 36).toString(36)).join('')}`;

/** A minute ago: not in the future of a server whose clock is behind. */
const agoMs = 60_000;

/** An import request with that message alone. It creates its sender and its group. */
function scratchBody(profile: Profile, muid: string, nowMs: number): string {
  const payload = {
    category: 'message',
    type: 'text',
    data: {
      text: 'Chatferry looks whether this service stores one message twice. It may be deleted.',
      metadata: { chatferry: { key: muid } },
    },
  };
  const item = wireMessage(
    {
      muid,
      sentAtMs: nowMs - agoMs,
      payload: JSON.stringify(payload),
      sender: { id: 0, uid: scratch.uid, details: JSON.stringify({ uid: scratch.uid, name: scratch.name }) },
      receiverType: 'group',
      peer: undefined,
      guid: scratch.guid,
      groupDetails: JSON.stringify({ guid: scratch.guid, name: scratch.name, type: 'private' }),
      withSender: true,
      withReceiver: true,
    },
    profile,
  );
  return `{"messages":{${item}}}`;
}
