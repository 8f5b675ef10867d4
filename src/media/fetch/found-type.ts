import { saysNothing, typeFromName } from '../../lib/files/file-types.ts';
import { essenceOf, isActiveType } from './active-types.ts';
import { headBytes, isText, markedTypes, detectMarkup, typeByMark } from '../../lib/files/byte-marks.ts';

export interface Claims {
  /** Content-Type of the answer; empty if there is none. */
  readonly header: string;
  /** Type according to the export; empty if it gives none. */
  readonly exported: string;
  readonly name: string;
}

/** Types that contain other types: only a claim shows which one is inside. */
const wrappers: Readonly<Record<string, (claim: string) => boolean>> = {
  'application/zip': (claim) => /^application\/(?:vnd\.|epub\+zip|java-archive|x-)/.test(claim),
  'application/x-cfb': (claim) => /^application\/(?:vnd\.ms-|msword|x-)/.test(claim),
  'application/gzip': (claim) => /^application\/(?:x-)/.test(claim),
  'audio/ogg': (claim) => /^(?:video|audio|application)\/(?:ogg|opus|x-opus\+ogg)$/.test(claim),
  'video/webm': (claim) => /^(?:video|audio)\/(?:webm|x-matroska|matroska)$/.test(claim),
  'video/3gpp': (claim) => claim === 'audio/3gpp',
  'video/mp4': (claim) => /^(?:audio\/(?:mp4|m4a|x-m4a|aac)|video\/.{1,60})$/.test(claim),
  'image/tiff': (claim) => /^image\/x-/.test(claim),
};

/**
 * Returns the type of a file. Its first bytes decide if they identify it. Claims are believed if they may be true: the
 * export's before the header's before the name's. A file that could run in a browser gets such a type, whatever the
 * claims are.
 *
 * @param head Its first `headBytes` bytes, or all of it.
 * @returns `image/png`, without parameters; empty for a file of no bytes without any claim.
 */
export function foundType(head: Uint8Array, { header, exported, name }: Claims): string {
  const claims = [exported, header, typeFromName(name) ?? ''].map(essenceOf).filter((type) => !saysNothing(type));
  const start = head.subarray(0, headBytes);
  if (start.length === 0) return claims[0] ?? '';
  const marked = typeByMark(start);
  if (marked !== undefined) return claims.find((claim) => wrappers[marked]?.(claim)) ?? marked;
  const isReadable = isText(start) || start[0] === 0xff || start[0] === 0xfe;
  const markup = isReadable ? detectMarkup(start) : undefined;
  if (markup !== undefined) return markup;
  const believable = claims.filter((claim) => !markedTypes.has(claim));
  return believable.find(isActiveType) ?? believable[0] ?? (isText(start) ? 'text/plain' : 'application/octet-stream');
}

const isPage = (type: string): boolean => /^(?:text\/html|application\/xhtml\+xml)$/.test(type);

/** Slack's canvases and posts are pages by another name. */
const mayBePage = (type: string): boolean =>
  isPage(type) || type === 'multipart/related' || type.startsWith('application/vnd.slack-docs');

/**
 * Returns whether a page arrived in place of a file: one to log in, or to report that the file is gone. If the server
 * calls it a page, it counts when anything else was announced. If it only begins like a page, it counts when a picture,
 * a film or the like was announced.
 */
export function isPageInPlace(head: Uint8Array, { header, exported, name }: Claims): boolean {
  const announced = [exported, typeFromName(name) ?? ''].map(essenceOf).filter((type) => !saysNothing(type));
  if (announced.length === 0 || announced.some(mayBePage)) return false;
  if (isPage(essenceOf(header))) return true;
  return announced.some((type) => markedTypes.has(type)) && isPage(detectMarkup(head) ?? '');
}

/** Whether it is a page at all, by its header or its first bytes. */
export const beginsAsPage = (head: Uint8Array, header: string): boolean =>
  isPage(essenceOf(header)) || isPage(detectMarkup(head) ?? '');
