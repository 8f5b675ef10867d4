import { createReadStream, existsSync } from 'node:fs';
import { DestinationError, UsageError } from '../lib/errors.ts';
import { type Secret, secretOf } from '../lib/secret.ts';
import { normaliseBaseUrl } from '../service/base-url.ts';
import { type ListedMessage, readMessagePage } from '../service/list-answer.ts';
import { parseAnswer } from '../service/parse-answer.ts';
import type { Walk } from '../service/pages.ts';
import { noRequests, type RequestCounts } from '../delivery/destination.ts';
import { sharedPace } from '../delivery/pace.ts';
import { fileExists, FetchFile, fetchHeader, type FetchScope, FetchTally } from './fetch/file.ts';
import { fetchPages, type PageOptions } from './fetch/pages.ts';
import type { StageProgress } from '../lib/flow/progress.ts';
import type { RunControls } from './session.ts';

export interface FetchRequest extends FetchScope, Omit<RunControls, 'stopping'> {
  /** Base address of the service, before `/v3`. */
  readonly from: string;
  /** A key of the service with full access. A text is wrapped at once and shown in no log or error. */
  readonly apiKey: string | Secret | undefined;
  readonly out: string;
  readonly mayReplace: boolean;
  /** Messages per page, 1 to 1,000. */
  readonly pageSize: number;
  /** Pages per minute; without it as many as the service allows. */
  readonly perMinute?: number | undefined;
}

/** Content of a fetched file. */
export interface Fetched {
  readonly messages: number;
  readonly conversations: number;
  readonly pages: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  readonly bytes: number;
  /** Messages that an interrupted run had written before. */
  readonly continuedFrom: number;
  /** Requests of this run alone. */
  readonly requests: RequestCounts;
}

/** 1,000 messages of 65,536 characters, the most that the hosted service takes, three bytes each. */
const responseBytesMax = 192 * 2 ** 20;

/**
 * Writes the listing of a running service into a file that the source `chat-service` reads: a first line with its
 * origin, then one message a line, as the service wrote it and in its order. After an interruption, the same request
 * continues.
 *
 * Memory: one page, and some hundred bytes for each conversation.
 *
 * @throws UsageError, StoreError if the file cannot be written, DestinationError if the service does not answer.
 */
export async function fetchMessages(request: FetchRequest): Promise<Fetched> {
  const address = normaliseBaseUrl(request.from);
  const apiKey = usableKey(secretOf(request.apiKey), address);
  const stage = request.progress.stage('Fetching');
  // Loaded on demand: 15 MB that other commands do without.
  const { createHttpTransport } = await import('../service/http-transport.ts');
  const transport = createHttpTransport(new URL(address), { connections: 1, responseBytesMax });
  const header = fetchHeader(address, request);
  const whole = request.mayReplace ? undefined : await readWholeFile(request.out, header);
  const file = whole ? undefined : new FetchFile(request.out, header, request);
  const tally = whole?.tally ?? new FetchTally(file?.checkpoints ?? []);
  const onWait = (ms: number, why: string) => stage.update({ done: tally.messages, waiting: why, waitMs: ms });
  const pace = openPace(address, request, onWait);
  try {
    const service = { transport, apiKey, pace, clock: request.clock, onWait };
    return file
      ? await fetchInto(file, tally, request, stage, service)
      : await nothingSince(whole!, request, stage, service);
  } catch (error) {
    throw error instanceof DestinationError ? interrupted(error, address, request.out) : error;
  } finally {
    file?.close();
    pace.close();
    await transport.close();
  }
}

type Service = Pick<PageOptions, 'transport' | 'apiKey' | 'pace' | 'clock' | 'onWait'>;

async function fetchInto(
  file: FetchFile,
  tally: FetchTally,
  request: FetchRequest,
  stage: StageProgress,
  service: Service,
): Promise<Fetched> {
  const { random, signal } = request;
  const continuedFrom = tally.messages;
  const requests = noRequests();
  const onNext: PageOptions['onNext'] = (next) => file.save(tally.checkpoint(next, file.bytes));
  const pages = fetchPages(walkOf(file, request), { ...service, random, counts: requests, signal, onNext });
  for await (const rows of pages) {
    const wanted = rows.filter(({ message }) => isWanted(message, request));
    const startBytes = file.bytes;
    file.append(wanted.map(({ text }) => text));
    tally.addPage(
      wanted.map(({ message }) => message),
      startBytes,
    );
    stage.update({ done: tally.messages, note: `page ${tally.pages}` });
  }
  file.finish();
  stage.finish();
  return { ...tally.total(), bytes: file.bytes, continuedFrom, requests };
}

/** Leaves a whole file as it is: the service is asked only whether it lists anything behind it. @throws UsageError where it does. */
async function nothingSince(
  { tally, bytes, lastIds }: WholeFile,
  request: FetchRequest,
  stage: StageProgress,
  service: Service,
): Promise<Fetched> {
  const { random, signal, out, pageSize } = request;
  const requests = noRequests();
  const last = lastIds.at(-1);
  const walk = { ...scopeOf(request), limit: pageSize, seen: lastIds, ...(last !== undefined && { fromId: last }) };
  for await (const rows of fetchPages(walk, { ...service, random, counts: requests, signal, onNext() {} })) {
    if (rows.some(({ message }) => isWanted(message, request)))
      throw fileExists(out, ', and the service lists more by now');
  }
  stage.finish();
  return { ...tally.total(), bytes, continuedFrom: tally.messages, requests };
}

/** Returns the walk from the beginning, or from the end of the file. */
function walkOf(file: FetchFile, request: FetchRequest): Walk {
  const next = file.checkpoints.at(-1)?.next;
  return {
    limit: request.pageSize,
    ...scopeOf(request),
    ...(next && { fromId: next.id, seen: idsOf(file.lastLines()) }),
    ...(next?.sentAt !== undefined && { fromSentAt: next.sentAt }),
  };
}

const scopeOf = ({ conversation, since, until }: FetchScope) => ({
  ...(conversation !== undefined && { conversationId: conversation }),
  ...window(since, until),
});

/**
 * Returns the time range to request: a second more on both sides, because it is not specified whether the service
 * includes the bounds; surplus messages are left out here. Without a beginning the service ignores the end, and 0 might
 * count as none.
 */
function window(since: number | undefined, until: number | undefined): Pick<Walk, 'fromTimestamp' | 'toTimestamp'> {
  if (since === undefined && until === undefined) return {};
  return {
    fromTimestamp: Math.max(1, (since ?? 0) - 1),
    ...(until !== undefined && { toTimestamp: until + 1 }),
  };
}

const isWanted = ({ sentAt }: ListedMessage, { since, until }: FetchScope): boolean =>
  (since === undefined || sentAt >= since) && (until === undefined || sentAt <= until);

/** Ids as the walk compares them. */
const idsOf = (lines: readonly string[]): string[] => messagesOf(lines).map(({ id }) => id);

function usableKey(apiKey: Secret | undefined, address: string): Secret {
  if (apiKey) return apiKey;
  throw new UsageError(`Cannot fetch from ${address}: no API key`, {
    hint: 'Set CHATFERRY_API_KEY, or pass --api-key-file with a file that only you may read',
  });
}

type OnWait = (ms: number, why: string) => void;

const openPace = (address: string, { perMinute, clock }: FetchRequest, onWait: OnWait) =>
  sharedPace({ address, perMinute: { ...(perMinute !== undefined && { read: perMinute }) }, clock, onWait });

function interrupted(cause: DestinationError, address: string, out: string): DestinationError {
  return new DestinationError(
    `Cannot fetch from ${address} to the end: ${cause.message.replace(/^Cannot read messages of the destination: /, '')}`,
    {
      code: cause.code,
      requestId: cause.requestId,
      // The hints of known answers name the flag of the commands that send.
      hint: `${(cause.hint ?? 'Run the same command again').replace('--to', '--from')}; it continues at the end of ${out}.partial`,
      cause,
    },
  );
}

/** A file that the same fetch has brought to its end: it was killed when it was done, or is said again. */
interface WholeFile {
  readonly tally: FetchTally;
  readonly bytes: number;
  /** Ids of the last rows, in their order. */
  readonly lastIds: readonly string[];
}

/**
 * Counts the content of a file that the same fetch has written before. Memory: some rows at a time.
 *
 * @param firstLine The header, which describes the fetch.
 * @returns Undefined if there is no file, it is not complete yet, or it has another header.
 */
async function readWholeFile(out: string, firstLine: string): Promise<WholeFile | undefined> {
  if (!existsSync(out) || existsSync(`${out}.partial`) || existsSync(`${out}.partial.log`)) return undefined;
  const headBytes = Buffer.byteLength(firstLine) + 1;
  const head: string[] = await createReadStream(out, { encoding: 'utf8', end: headBytes - 1 }).toArray();
  if (head.join('') !== `${firstLine}\n`) return undefined;
  const tally = new FetchTally([]);
  const input = createReadStream(out, { encoding: 'utf8', start: headBytes });
  let lastIds: readonly string[] = [];
  let rest = '';
  for await (const piece of input as AsyncIterable<string>) {
    const rows = (rest + piece).split('\n');
    rest = rows.pop()!;
    const messages = messagesOf(rows);
    if (messages.length === 0) continue;
    tally.addPage(messages, 0);
    lastIds = messages.map(({ id }) => id);
  }
  return { tally, bytes: headBytes + input.bytesRead, lastIds };
}

/** Rows of a fetched file, understood as in an answer of the service. */
const messagesOf = (rows: readonly string[]): readonly ListedMessage[] =>
  readMessagePage(parseAnswer(`{"data":[${rows.join(',')}]}`))?.messages ?? [];
