/**
 * File types by their first bytes: the table of the MIME Sniffing Standard (https://mimesniff.spec.whatwg.org/,
 * 2026-11) and other types that people send in chats. Bytes are hostile: only fixed offsets are inspected, without a
 * parser, and nothing is unpacked.
 */

interface Mark {
  readonly type: string;
  /** Hex of the bytes at `at`; a dot stands for any digit. */
  readonly hex: string;
  readonly at?: number;
}

const ascii = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

/** The first that is true is it. */
const marks: readonly Mark[] = [
  { type: 'image/jpeg', hex: 'ffd8ff' },
  { type: 'image/png', hex: '89504e470d0a1a0a' },
  { type: 'image/gif', hex: `${ascii('GIF8')}3.61` },
  { type: 'image/webp', hex: `${ascii('RIFF')}........${ascii('WEBPVP')}` },
  { type: 'audio/wav', hex: `${ascii('RIFF')}........${ascii('WAVE')}` },
  { type: 'video/x-msvideo', hex: `${ascii('RIFF')}........${ascii('AVI ')}` },
  { type: 'image/tiff', hex: '49492a00' },
  { type: 'image/tiff', hex: '4d4d002a' },
  { type: 'image/vnd.adobe.photoshop', hex: ascii('8BPS') },
  { type: 'image/jxl', hex: 'ff0a' },
  { type: 'image/bmp', hex: `${ascii('BM')}........00000000` },
  { type: 'image/x-icon', hex: '00000100..00' },
  { type: 'image/avif', hex: ascii('ftypavif'), at: 4 },
  { type: 'image/avif', hex: ascii('ftypavis'), at: 4 },
  { type: 'image/heic', hex: ascii('ftyphei'), at: 4 },
  { type: 'image/heic', hex: ascii('ftyphev'), at: 4 },
  { type: 'image/heif', hex: ascii('ftypmif1'), at: 4 },
  { type: 'audio/mp4', hex: ascii('ftypM4A'), at: 4 },
  { type: 'video/quicktime', hex: ascii('ftypqt  '), at: 4 },
  { type: 'video/3gpp', hex: ascii('ftyp3gp'), at: 4 },
  { type: 'video/mp4', hex: ascii('ftyp'), at: 4 },
  { type: 'video/webm', hex: '1a45dfa3' },
  { type: 'audio/ogg', hex: `${ascii('OggS')}00` },
  { type: 'audio/mpeg', hex: ascii('ID3') },
  { type: 'audio/mpeg', hex: 'fffb' },
  { type: 'audio/mpeg', hex: 'fff3' },
  { type: 'audio/aac', hex: 'fff1' },
  { type: 'audio/aac', hex: 'fff9' },
  { type: 'audio/flac', hex: ascii('fLaC') },
  { type: 'audio/amr', hex: ascii('#!AMR') },
  { type: 'audio/midi', hex: ascii('MThd') },
  { type: 'application/pdf', hex: ascii('%PDF-') },
  { type: 'application/zip', hex: '504b0304' },
  { type: 'application/zip', hex: '504b0506' },
  { type: 'application/gzip', hex: '1f8b08' },
  { type: 'application/x-7z-compressed', hex: '377abcaf271c' },
  { type: 'application/vnd.rar', hex: ascii('Rar!\x1a\x07') },
  { type: 'application/x-cfb', hex: 'd0cf11e0a1b11ae1' },
  { type: 'application/rtf', hex: ascii('{\\rtf') },
  { type: 'application/x-shockwave-flash', hex: ascii('FWS') },
  { type: 'application/x-shockwave-flash', hex: ascii('CWS') },
  { type: 'application/wasm', hex: '0061736d' },
];

/** How many bytes are looked at. The standard says 1445. */
export const headBytes = 1445;

export function typeByMark(head: Uint8Array): string | undefined {
  const hex = Buffer.from(head.subarray(0, 32)).toString('hex');
  return marks.find((mark) => isAt(hex, mark))?.type;
}

/** Types that can be recognised by their bytes. If one of them is claimed for other bytes, the claim is wrong. */
export const markedTypes: ReadonlySet<string> = new Set(marks.map(({ type }) => type));

function isAt(hex: string, { hex: wanted, at = 0 }: Mark): boolean {
  const found = hex.slice(at * 2, at * 2 + wanted.length);
  return found.length === wanted.length && [...wanted].every((digit, index) => digit === '.' || digit === found[index]);
}

/** No control characters that texts do not have: the standard's "binary data byte". */
export function isText(head: Uint8Array): boolean {
  for (const byte of head) {
    if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 0x1b) return false;
  }
  return true;
}

/** The tags by which the standard knows a page, and `<svg`. */
const tags: readonly (readonly [start: string, type: string])[] = [
  ...['!doctype html', 'html', 'head', 'script', 'iframe', 'h1', 'div', 'font', 'table', 'a', 'style', 'title'].map(
    (tag) => [`<${tag}`, 'text/html'] as const,
  ),
  ...['b', 'body', 'br', 'p', 'meta'].map((tag) => [`<${tag}`, 'text/html'] as const),
  ['<svg', 'image/svg+xml'],
  ['<!doctype svg', 'image/svg+xml'],
];

/** Returns the type of text that begins with these bytes, if a browser would run it. */
export function detectMarkup(head: Uint8Array): string | undefined {
  const text = withoutComments(decode(head).toLowerCase());
  const tag = tags.find(([start]) => text.startsWith(start) && /^[\s>/]?$/.test(text.charAt(start.length)));
  if (tag) return tag[1];
  if (!text.startsWith('<?xml')) return undefined;
  // The first element shows the type of the document.
  if (text.includes('<svg')) return 'image/svg+xml';
  return text.includes('<html') ? 'application/xhtml+xml' : 'text/xml';
}

const decode = (head: Uint8Array): string => {
  const bytes = Buffer.from(head);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.subarray(2).toString('utf16le').trimStart();
  return bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
};

/** Comments before the first tag say nothing of what follows. */
function withoutComments(text: string): string {
  let rest = text;
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->');
    if (end < 0) return '<html';
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
}
