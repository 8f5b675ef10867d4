import { isAscii, isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { extraField, type ZipRecord } from './zip-record.ts';

const utf8Flag = 0x800;
const unicodePathId = 0x7075;
const dosHosts = new Set([0, 10, 11, 14]);

/** Code page 437 from 0x80: what a ZIP name is in where nothing says otherwise. */
const upperCp437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/**
 * The name of an entry with forward slashes. Its bytes are UTF-8 if a flag says so or an Info-ZIP field brings a UTF-8 name,
 * but also if they happen to be valid UTF-8 (macOS writes UTF-8 and does not say so); otherwise code page 437.
 * Backslashes become slashes where the writer ran on Windows: PowerShell 5 writes them. Segments that say nothing
 * (`./a`, `a//b`) are taken out.
 */
export function decodeName(record: ZipRecord): string {
  const name = decodeText(unicodePath(record) ?? record.name, (record.flags & utf8Flag) !== 0);
  const path = dosHosts.has(record.host) && name.includes('\\') ? name.replaceAll('\\', '/') : name;
  return /(?:^|\/)\.\/|.\/\//.test(path) ? path.replace(/(?<=.)\/(?:\.?\/)+/g, '/').replace(/^(?:\.\/)+/, '') : path;
}

function decodeText(bytes: Buffer, isMarkedUtf8: boolean): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (isMarkedUtf8 || isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : upperCp437[byte - 0x80]!;
  return text;
}

/** Info-ZIP's Unicode path, if it belongs to the name in the record: version 1, CRC-32 of that name, then UTF-8. */
function unicodePath({ flags, extra, name }: ZipRecord): Buffer | undefined {
  if (extra.length === 0 || (flags & utf8Flag) !== 0) return undefined;
  const field = extraField(extra, unicodePathId);
  const isValid = field && field.length > 5 && field[0] === 1 && field.readUInt32LE(1) === crc32(name);
  return isValid ? field.subarray(5) : undefined;
}

/** Why a name must not be used, or nothing. Names are never made into paths here, but whoever unpacks by hand would. */
export function unsafeName(name: string): string | undefined {
  if (name === '') return 'its name is empty';
  if (name.includes('\0')) return 'its name contains a NUL character';
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'its name is an absolute path';
  if (name.includes('\\')) return 'its name contains a backslash';
  if (/(?:^|\/)\.\.(?:\/|$)/.test(name)) return 'its name leads out of the archive';
  return undefined;
}
