import { basename, join } from 'node:path';
import type { Dispatcher } from 'undici';
import type { UrlExport } from '../config/export-location.ts';
import { connectionWords } from '../../io/web/connection-fault.ts';
import { dropBody, isRedirect, redirectsMax } from '../../io/web/file-answer.ts';
import { DestinationError } from '../../lib/errors.ts';
import { readHeaders } from '../../lib/files/header-file.ts';
import { formatBytes } from '../../lib/text/quantity.ts';
import { refuseUnverifiedTls } from '../../service/http-transport.ts';
import { locationMemory } from '../state/location-memory.ts';
import { type FileMemory, KeptFile, receiveFile, type SavedFile, TooLarge } from './kept-file.ts';
import { type LocationContext, type Arrivals, plainTake } from './location.ts';

/** Headers by which a server determines whether its file is still the one that we have. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface DownloadOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Validators of the local bytes. */
  readonly known: Validators;
  /** For everything together. */
  readonly timeoutMs: number;
  readonly sizeMax: number;
  readonly signal: AbortSignal;
}

/** Answer of a server. The caller that gets bytes closes them. */
export type Download =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'changed';
      readonly validators: Validators;
      save(file: KeptFile): Promise<SavedFile>;
      close(): Promise<void>;
    };

/**
 * Asks for the file behind an address. Follows redirects inside one origin only: what goes with the request goes nowhere else.
 *
 * @throws DestinationError with code `download-failed`, in words without what the address holds behind its host; the signal's reason.
 */
async function download(options: DownloadOptions): Promise<Download> {
  refuseUnverifiedTls();
  // Loaded on demand: 15 MB that other jobs do without.
  const { Agent } = await import('undici');
  const agent = new Agent({
    connect: { timeout: 10_000, rejectUnauthorized: true },
    allowH2: false,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
    maxHeaderSize: 16 * 1024,
  });
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([options.signal, deadline]);
  const inWords: InWords = (error) => {
    options.signal.throwIfAborted();
    return error instanceof DestinationError ? error : failed(options, describeError(error, options, deadline));
  };
  const close = () => agent.destroy();
  try {
    const answer = await follow(new URL(options.url), { ...options, agent, signal });
    if (answer.statusCode === 304) {
      await close();
      return { kind: 'unchanged' };
    }
    const save = (file: KeptFile) => saveBody(answer, file, options.sizeMax, inWords);
    return { kind: 'changed', validators: readValidators(answer), save, close };
  } catch (error) {
    await close();
    throw inWords(error);
  }
}

/** Converts a transfer failure into an error for the user. @throws the reason for which it was cut off, if it was. */
type InWords = (error: unknown) => DestinationError;

interface Asking extends DownloadOptions {
  readonly agent: Dispatcher;
}

async function follow(start: URL, options: Asking): Promise<Dispatcher.ResponseData> {
  let url = start;
  for (let step = 0; step <= redirectsMax; step++) {
    const answer = await ask(url, options);
    const { statusCode, headers } = answer;
    if (statusCode === 200 || (statusCode === 304 && isConditional(options))) return answer;
    dropBody(answer.body);
    const location = headers.location;
    if (!isRedirect(statusCode) || typeof location !== 'string')
      throw failed(options, `the server answered ${statusCode}`, statusCode === 401 || statusCode === 403);
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (next?.origin !== start.origin) throw failed(options, 'the server sends us on to another origin');
    url = next;
  }
  throw failed(options, `the server sent us on more than ${redirectsMax} times`);
}

const isConditional = ({ known: { etag, lastModified } }: DownloadOptions) =>
  etag !== undefined || lastModified !== undefined;

const ask = (url: URL, { agent, headers, known, signal }: Asking) =>
  agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'GET',
    headers: {
      'user-agent': 'chatferry',
      accept: '*/*',
      'accept-encoding': 'identity',
      ...headers,
      ...(known.etag !== undefined && { 'if-none-match': known.etag }),
      ...(known.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
    },
    signal,
  });

async function saveBody(answer: Dispatcher.ResponseData, file: KeptFile, sizeMax: number, inWords: InWords) {
  try {
    if (Number(answer.headers['content-length'] ?? 0) > sizeMax) throw new TooLarge();
    return await file.receive(readChunks(answer.body, inWords), sizeMax);
  } catch (error) {
    throw error instanceof TooLarge ? inWords(error) : error;
  }
}

/** A body that ends before its announced length is a fault of the connection: the client sees to that. */
async function* readChunks(body: Dispatcher.ResponseData['body'], inWords: InWords): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw inWords(error);
  }
}

function readValidators({ headers }: Dispatcher.ResponseData): Validators {
  const one = (name: string) => [headers[name] ?? []].flat()[0];
  const etag = one('etag');
  const lastModified = one('last-modified');
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}

function describeError(error: unknown, { timeoutMs, sizeMax }: DownloadOptions, deadline: AbortSignal): string {
  if (error instanceof TooLarge) return `it is larger than ${formatBytes(sizeMax)}`;
  if (deadline.aborted) return `it was not complete within ${Math.round(timeoutMs / 1000)} s`;
  return connectionWords(error);
}

/** Any part of an address after the host may be a token; the name is that of the file next to the store. */
const failed = ({ url }: Pick<DownloadOptions, 'url'>, why: string, isRefused = false): DestinationError =>
  new DestinationError(`Cannot download "${fileNameFromUrl(url)}" from ${new URL(url).origin}: ${why}`, {
    code: 'download-failed',
    needsPerson: isRefused,
    hint: isRefused
      ? 'Look at the token in headersFile, and the address'
      : 'The next run tries again; the last export stays as it is',
  });

/** An export that a server offers. It is asked whether it changed, and read again only where it did. */
export async function downloadExport(location: UrlExport, context: LocationContext): Promise<Arrivals> {
  const { url, headersFile, format, timeout: timeoutMs, sizeMax } = location;
  const file = new KeptFile(join(context.folder, format ?? fileNameFromUrl(url)));
  const memory = locationMemory<FileMemory & Validators>(context.state.db, context.job, url);
  const before = memory.read();
  // "Unchanged" from a server only counts for bytes that are still here.
  const isHere = before?.sizeBytes !== undefined && file.sizeBytes() === before.sizeBytes;
  const answer = await download({
    url,
    headers: headersFile === undefined ? {} : readHeaders(headersFile),
    known: isHere ? before : {},
    timeoutMs,
    sizeMax,
    signal: context.signal,
  });
  if (answer.kind === 'unchanged') return plainTake([file.path]);
  try {
    return await receiveFile(file, memory, answer.validators, () => answer.save(file));
  } finally {
    await answer.close();
  }
}

/** `https://example.com/exports/chat.zip?token=…` → `chat.zip`. */
function fileNameFromUrl(url: string): string {
  const name = basename(new URL(url).pathname).replaceAll(/[^\w.-]/g, '_');
  return /^\.*$/.test(name) ? 'export' : name.slice(-100);
}
