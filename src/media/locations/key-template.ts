import { UsageError } from '../../lib/errors.ts';
import { forTerminal } from '../../lib/text/plain-text.ts';
import { endingForType } from '../../lib/files/file-types.ts';

/**
 * Names of stored files: `media/{sha256:2}/{sha256}{ext}`. Names and types come from exports and servers. Whatever they
 * are, a key is a relative path inside its location, and none of its segments is empty or begins with a dot.
 */

export interface KeyParts {
  /** 64 hex digits in lower case. */
  readonly sha256: string;
  /** As the export calls the file: any text. */
  readonly name: string;
  readonly contentType: string;
}

const placeholder = /\{([^{}]*)\}/;
/** Text between placeholders: characters that are the same in addresses and in file names. */
const plain = /^[\w.~ -]*$/;

/** File systems and buckets take 255 bytes a segment, buckets 1,024 a key (S3 user guide, object keys, 2026-11); a prefix may come before it. */
const segmentBytesMax = 255;
const keyBytesMax = 800;
const nameBytesMax = 100;
const endingLengthMax = 16;

/** @throws UsageError unless every key that it makes is a good one, and another for every content. */
export function checkKeyTemplate(template: string): void {
  if (!template.includes('{sha256}')) {
    throw refused(template, 'expected {sha256} in it, else two files could have one name', 'Use "{sha256}{ext}"');
  }
  const lengths = template.split('/').map((segment) => longestSegment(template, segment));
  const total = lengths.reduce((sum, length) => sum + length + 1, -1);
  if (Math.max(...lengths) > segmentBytesMax || total > keyBytesMax) {
    throw refused(template, 'its keys would be too long', 'Remove the placeholders that it repeats');
  }
}

/** The most bytes that a segment becomes. @throws UsageError if it may become nothing, or begin with a dot. */
function longestSegment(template: string, segment: string): number {
  const pieces = segment.split(placeholder);
  const longest = pieces.map((piece, index) => {
    if (index % 2 === 1) return longestPlaceholder(template, piece);
    if (!plain.test(piece)) {
      throw refused(
        template,
        `"${forTerminal(piece)}" is not for addresses`,
        'Use letters, digits, and any of - _ . ~',
      );
    }
    return piece.length;
  });
  if (segment === '') throw refused(template, 'a part between slashes is empty', 'Leave out the slash');
  if (/^(?:[. ]|\{ext\})/.test(segment) || /[. ]$/.test(segment)) {
    throw refused(template, `"${segment}" begins or ends with a dot or an ending`, 'Put {sha256} or a word before it');
  }
  return longest.reduce((sum, length) => sum + length, 0);
}

function longestPlaceholder(template: string, name: string): number {
  if (name === 'sha256') return 64;
  if (name === 'name') return nameBytesMax;
  if (name === 'ext') return endingLengthMax + 1;
  const digits = /^sha256:([1-9]\d?)$/.exec(name)?.[1];
  if (digits !== undefined && Number(digits) <= 64) return Number(digits);
  throw refused(template, `{${forTerminal(name)}} means nothing`, 'There are {sha256}, {sha256:2}, {name} and {ext}');
}

const refused = (template: string, why: string, hint: string): UsageError =>
  new UsageError(`Cannot use "${forTerminal(template)}" as media.key: ${why}`, { hint });

/** The key of a file. @param template One that `checkKeyTemplate` takes. */
export const fillKeyTemplate = (template: string, parts: KeyParts): string =>
  template
    .split(placeholder)
    .map((piece, index) => (index % 2 === 0 ? piece : filledIn(piece, parts)))
    .join('');

function filledIn(placeholderName: string, { sha256, name, contentType }: KeyParts): string {
  if (placeholderName === 'name') return harmlessName(name);
  if (placeholderName === 'ext') return pickEnding(name, contentType);
  return sha256.slice(0, Number(placeholderName.split(':')[1] ?? 64));
}

/** Returns `.jpg` for `Photo.JPG`; the extension for the content type if the name has none; else nothing. */
function pickEnding(name: string, contentType: string): string {
  const ofName = /[^.]\.([a-z0-9]{1,16})$/i.exec(name.slice(-20))?.[1]?.toLowerCase();
  const ending = ofName ?? endingForType(contentType);
  return ending === undefined ? '' : `.${ending}`;
}

/** Slashes, and what file systems or addresses take for something else. */
const harmful = /[/\\<>:"|?*#%]/g;
/** Names that Windows keeps for devices, with any ending. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Returns the name of a file in a form that is safe in a path: one segment, 100 bytes at most, with its extension. Never empty. */
function harmlessName(name: string): string {
  const clean = forTerminal(name.slice(0, 1000)).normalize('NFC').replace(harmful, '_').replace(/\s/gu, ' ').trim();
  const shown = clean.replace(/^[. ]+/, '');
  const cut = shorten(device.test(shown) ? `_${shown}` : shown);
  return cut === '' ? 'file' : cut;
}

function shorten(name: string): string {
  const ending = /\.[a-z0-9]{1,16}$/i.exec(name.slice(-17))?.[0] ?? '';
  return cutBytes(name.slice(0, name.length - ending.length), nameBytesMax - ending.length) + ending;
}

/** Whole characters, no dot and no space at the end. */
function cutBytes(text: string, bytesMax: number): string {
  let bytes = 0;
  let cut = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > bytesMax) break;
    cut += character;
  }
  return trimDots(cut);
}

function trimDots(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '.' || text[end - 1] === ' ')) end--;
  return text.slice(0, end);
}

/** Returns a key in the form used in an address: slashes stay, everything that RFC 3986 does not call unreserved is encoded. */
export const encodeKey = (key: string): string => key.split('/').map(encodeSegment).join('/');

export const encodeSegment = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
