import { ChatferryError } from '../../lib/errors.ts';
import { connectionWords, isRefusedAddress } from '../../io/web/connection-fault.ts';
import { dropBody } from '../../io/web/file-answer.ts';
import { askForFile, type Asking, type FileAnswer, type Resting } from './ask-for-file.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { Fetched, MediaOrigin } from './fetched.ts';
import { beginsAsPage, foundType, isPageInPlace } from './found-type.ts';
import { judgeFileAnswer, refusedByHeaders, tooLarge } from './judge-answer.ts';
import type { KeptPart, PartFile, PartWriter, Validators } from './part-file.ts';
import { headBytes } from '../../lib/files/byte-marks.ts';

export interface Try extends Asking {
  readonly url: URL;
  readonly origin: MediaOrigin;
  readonly part: PartFile;
  readonly budget: ByteBudget;
  readonly maxBytes: number;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

/**
 * Requests a file once, from where an earlier try was cut off, and writes what arrives into the part's file.
 *
 * If the file does not arrive whole, the bytes received stay if the server has a way to continue them. Nothing stays if
 * the file is missing or refused.
 *
 * @throws the signal's reason; StoreError if this disk cannot store it.
 */
export async function fetchAddress(attempt: Try): Promise<Fetched | Resting> {
  try {
    const fetched = await ask(attempt);
    if (fetched.kind === 'missing' || fetched.kind === 'refused') await attempt.part.remove();
    return fetched;
  } catch (error) {
    attempt.signal.throwIfAborted();
    if (error instanceof ChatferryError) throw error;
    const why = connectionWords(error);
    return isRefusedAddress(error) ? { kind: 'refused', why } : { kind: 'again', why };
  }
}

async function ask(attempt: Try): Promise<Fetched | Resting> {
  const kept = await attempt.part.kept();
  const asked = await askForFile(attempt.url, kept ? rangeHeaders(kept) : {}, attempt, attempt.signal);
  if (asked.kind !== 'answered') return asked;
  const { answer } = asked;
  if (kept && (answer.status === 416 || (answer.status === 206 && !continues(answer, kept)))) {
    // It is another file now, or the server knows no ranges after all: then all of it, once more.
    dropBody(answer.body);
    await attempt.part.remove();
    return ask(attempt);
  }
  const fault = await judgeFileAnswer(answer, { address: attempt.url.href, nowMs: attempt.nowMs() });
  if (fault) return rested(fault, answer, attempt);
  if (answer.status === 206 && !kept) {
    dropBody(answer.body);
    return { kind: 'again', why: 'a part came that was not asked for' };
  }
  return take(answer, answer.status === 206 && kept ? rangeStart(kept) : 0, attempt);
}

/** Who asks for rest asks for all of its files. */
function rested(fault: Fetched, { url }: FileAnswer, { pace }: Try): Fetched {
  if (fault.kind === 'again' && fault.retryAfterMs !== undefined) pace.rest(url.host, fault.retryAfterMs);
  return fault;
}

/** The bytes of an answer, behind those that are here. */
async function take(answer: FileAnswer, from: number, attempt: Try): Promise<Fetched> {
  const wholeBytes = wholeSize(answer, from);
  const refused = refusedByHeaders(answer, wholeBytes, attempt.maxBytes);
  if (refused !== undefined) {
    dropBody(answer.body);
    return { kind: 'refused', why: refused };
  }
  // The body has no listener while the disk is busy. Its error is reported when it is read.
  answer.body.on('error', () => {});
  const writer = await (from > 0 ? attempt.part.goOn(from) : attempt.part.begin());
  try {
    return (await pour(answer, writer, attempt)) ?? (await whole(answer, wholeBytes, writer, attempt));
  } catch (error) {
    // It was cut off: the next try goes on here, where it may.
    if (!(error instanceof ChatferryError)) await writer.mark(readValidators(answer, wholeBytes));
    throw error;
  } finally {
    dropBody(answer.body);
    await writer.close();
  }
}

/** One chunk after the other to the disk. Says why not, where it must not go on. */
async function pour(answer: FileAnswer, writer: PartWriter, attempt: Try): Promise<Fetched | undefined> {
  const validators = readValidators(answer, wholeSize(answer, writer.sizeBytes));
  let isJudged = false;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    if (writer.sizeBytes + chunk.length > attempt.maxBytes) return { kind: 'refused', why: tooLarge(attempt.maxBytes) };
    await writer.write(chunk, validators);
    await attempt.budget.spend(chunk.length, attempt.signal);
    if (isJudged || writer.sizeBytes < headBytes) continue;
    isJudged = true;
    const page = pageInPlace(answer, writer.head, attempt.origin);
    if (page) return page;
  }
  return isJudged ? undefined : pageInPlace(answer, writer.head, attempt.origin);
}

/** Where people are sent who have to log in first. */
const loginPath = /\/(?:log-?in|sign-?in|auth|sso|saml|oauth2?|accounts?)(?:[/._-]|$)/i;

function pageInPlace(
  { header, url, isSentOn }: FileAnswer,
  head: Uint8Array,
  origin: MediaOrigin,
): Fetched | undefined {
  const type = header('content-type') ?? '';
  const claims = { header: type, exported: origin.mimeType, name: origin.name };
  const isLogin = isSentOn && loginPath.test(url.pathname) && beginsAsPage(head, type);
  if (!isLogin && !isPageInPlace(head, claims)) return undefined;
  return { kind: 'refused', why: 'a page, as to log in, came back in place of the file' };
}

/** Finishes a file of which everything arrived, as far as can be known. */
async function whole(
  answer: FileAnswer,
  wholeBytes: number | undefined,
  writer: PartWriter,
  { origin, part }: Try,
): Promise<Fetched> {
  const cut = whyNotWhole(answer, wholeBytes, writer.sizeBytes, origin);
  if (cut !== undefined) {
    await writer.mark(readValidators(answer, wholeBytes));
    return { kind: 'again', why: cut };
  }
  const file = await writer.finish();
  const header = answer.header('content-type') ?? '';
  const type = foundType(writer.head, { header, exported: origin.mimeType, name: origin.name });
  const content = { ...file, foundType: type };
  return { kind: 'fetched', content, release: () => part.remove() };
}

function whyNotWhole(
  { header }: FileAnswer,
  wholeBytes: number | undefined,
  sizeBytes: number,
  origin: MediaOrigin,
): string | undefined {
  if (wholeBytes !== undefined && sizeBytes !== wholeBytes) return 'another length came than was announced';
  const expected = origin.sizeBytes ?? 0;
  if (sizeBytes === 0 && expected > 0) return 'nothing came, though the export says that it has a size';
  // Neither a length nor chunks: a connection that is cut looks like the end.
  const hasEnd = wholeBytes !== undefined || header('transfer-encoding') !== undefined;
  return !hasEnd && sizeBytes < expected
    ? 'fewer bytes arrived than the export gives, and the answer does not show whether the file is complete'
    : undefined;
}

/** The first byte that is asked for: of a part that is whole its last one, for a range must have something in it. */
const rangeStart = ({ keptBytes, sizeBytes = Number.POSITIVE_INFINITY }: KeptPart): number =>
  Math.min(keptBytes, sizeBytes - 1);

/** Returns the headers that continue a file. `If-Range` makes the server send the whole file if it has changed in the meantime (RFC 9110, 13.1.5). */
function rangeHeaders(kept: KeptPart): Readonly<Record<string, string>> {
  const validator = kept.etag ?? kept.lastModified;
  return validator === undefined ? {} : { range: `bytes=${rangeStart(kept)}-`, 'if-range': validator };
}

/** Whether a 206 brings the rest of just the file of which a part is here. Servers that do not look at If-Range exist. */
function continues(answer: FileAnswer, kept: KeptPart): boolean {
  const range = contentRange(answer);
  if (range === undefined || range.start !== rangeStart(kept) || range.end !== range.sizeBytes - 1) return false;
  const { etag = kept.etag, lastModified = kept.lastModified } = readValidators(answer, undefined);
  const isSameSize = kept.sizeBytes === undefined || kept.sizeBytes === range.sizeBytes;
  return isSameSize && etag === kept.etag && (kept.etag !== undefined || lastModified === kept.lastModified);
}

/** `bytes 100-199/200`. */
function contentRange(answer: FileAnswer) {
  const parts = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i.exec(answer.header('content-range')?.trim() ?? '');
  return parts ? { start: Number(parts[1]), end: Number(parts[2]), sizeBytes: Number(parts[3]) } : undefined;
}

/** Returns the size of the whole file, if the answer states it. @param from Number of bytes before those in the answer. */
function wholeSize(answer: FileAnswer, from: number): number | undefined {
  if (answer.status === 206) return contentRange(answer)?.sizeBytes;
  const length = answer.header('content-length')?.trim() ?? '';
  return /^\d{1,15}$/.test(length) ? from + Number(length) : undefined;
}

/**
 * Returns validators that distinguish the file from a later one: a strong entity tag, or the time of its last change if
 * that is at least a second before the answer (RFC 9110, 8.8.2.2: within a second it may have changed again).
 */
function readValidators(answer: FileAnswer, sizeBytes: number | undefined): Validators {
  const etag = answer.header('etag')?.trim();
  const lastModified = answer.header('last-modified')?.trim();
  const ageMs = Date.parse(answer.header('date') ?? '') - Date.parse(lastModified ?? '');
  return {
    ...(etag !== undefined && /^"[\x21\x23-\x7e\x80-\xff]{1,200}"$/.test(etag) && { etag }),
    ...(lastModified !== undefined && ageMs >= 1000 && { lastModified }),
    ...(sizeBytes !== undefined && { sizeBytes }),
  };
}
