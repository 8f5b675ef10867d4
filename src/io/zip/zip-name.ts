import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { ZipRecord } from './zip-record.ts';

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
  const name = decodeText(record);
  const path = dosHosts.has(record.host) && name.includes('\\') ? name.replaceAll('\\', '/') : name;
  if (!emptySegment.test(path)) return path;
  return path.replace(/(?<=.)\/(?:\.?\/)+/g, '/').replace(/^(?:\.\/+)+/, '');
}

const emptySegment = /^\.\/|\/\.?\//;

function decodeText(record: ZipRecord): string {
  const isMarkedUtf8 = (record.flags & utf8Flag) !== 0;
  const unicode = isMarkedUtf8 ? undefined : unicodePath(record);
  if (unicode !== undefined) return unicode;
  const latin1 = record.nameAsLatin1;
  if (!/[\x80-\xff]/.test(latin1)) return latin1;
  if (isMarkedUtf8 || isUtf8(record.name)) return record.name.toString('utf8');
  return latin1.replace(/[\x80-\xff]/g, (character) => upperCp437[character.charCodeAt(0) - 0x80]!);
}

/** Info-ZIP's Unicode path, if it belongs to the name in the record: version 1, CRC-32 of that name, then UTF-8. */
function unicodePath(record: ZipRecord): string | undefined {
  const field = record.extraField(unicodePathId);
  const isValid = field && field.length > 5 && field[0] === 1 && field.readUInt32LE(1) === crc32(record.name);
  return isValid ? field.toString('utf8', 5) : undefined;
}

/** Why a name must not be used, or nothing. Names are never made into paths here, but whoever unpacks by hand would. */
export function unsafeName(name: string): string | undefined {
  if (name === '') return 'its name is empty';
  if (name.includes('\0')) return 'its name contains a NUL character';
  if (name.startsWith('/') || (name[1] === ':' && /^[a-z]:/i.test(name))) return 'its name is an absolute path';
  if (name.includes('\\')) return 'its name contains a backslash';
  if (name.includes('..') && /(?:^|\/)\.\.(?:\/|$)/.test(name)) return 'its name leads out of the archive';
  return undefined;
}
