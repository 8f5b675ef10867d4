import type { FileAnswer } from './ask-for-file.ts';
import type { KeptPart, Validators } from './part-file.ts';

/** The first byte that is asked for: of a part that is whole its last one, for a range must have something in it. */
export const rangeStart = ({ keptBytes, sizeBytes = Number.POSITIVE_INFINITY }: KeptPart): number =>
  Math.min(keptBytes, sizeBytes - 1);

/** `If-Range` makes the server send all of it where the file is another one meanwhile (RFC 9110, 13.1.5). */
export function rangeOf(kept: KeptPart): Readonly<Record<string, string>> {
  const validator = kept.etag ?? kept.lastModified;
  return validator === undefined ? {} : { range: `bytes=${rangeStart(kept)}-`, 'if-range': validator };
}

/** Whether a 206 brings the rest of just the file of which a part is here. Servers that do not look at If-Range exist. */
export function continues(answer: FileAnswer, kept: KeptPart): boolean {
  const range = contentRange(answer);
  if (range === undefined || range.start !== rangeStart(kept) || range.end !== range.sizeBytes - 1) return false;
  const { etag = kept.etag, lastModified = kept.lastModified } = validatorsOf(answer, undefined);
  const isSameSize = kept.sizeBytes === undefined || kept.sizeBytes === range.sizeBytes;
  return isSameSize && etag === kept.etag && (kept.etag !== undefined || lastModified === kept.lastModified);
}

/** `bytes 100-199/200`. */
function contentRange(answer: FileAnswer) {
  const parts = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i.exec(answer.header('content-range')?.trim() ?? '');
  return parts ? { start: Number(parts[1]), end: Number(parts[2]), sizeBytes: Number(parts[3]) } : undefined;
}

/** How large the whole is, where the answer says it. @param from Bytes before what it brings. */
export function wholeSize(answer: FileAnswer, from: number): number | undefined {
  if (answer.status === 206) return contentRange(answer)?.sizeBytes;
  const length = answer.header('content-length')?.trim() ?? '';
  return /^\d{1,15}$/.test(length) ? from + Number(length) : undefined;
}

/**
 * By what the file can be told from a later one: a strong entity tag, or the time of its last change where that is at least a
 * second before the answer (RFC 9110, 8.8.2.2: within a second it may have changed again).
 */
export function validatorsOf(answer: FileAnswer, sizeBytes: number | undefined): Validators {
  const etag = answer.header('etag')?.trim();
  const lastModified = answer.header('last-modified')?.trim();
  const ageMs = Date.parse(answer.header('date') ?? '') - Date.parse(lastModified ?? '');
  return {
    ...(etag !== undefined && /^"[\x21\x23-\x7e\x80-\xff]{1,200}"$/.test(etag) && { etag }),
    ...(lastModified !== undefined && ageMs >= 1000 && { lastModified }),
    ...(sizeBytes !== undefined && { sizeBytes }),
  };
}
