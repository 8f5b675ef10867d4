import type { TextDecoding } from '../charset.ts';
import type { Dialect, DumpSettings } from '../dialect.ts';
import { unescaped } from './unescaped.ts';

/** Why a value, and with it its row, cannot be read. */
export interface ValueFault {
  readonly code: 'dump-encoding' | 'dump-value';
  /** Goes on behind the name of the column. */
  readonly reason: string;
}

/** Interpretation of a written value by the type of its column; `any`: not at all. */
export type ColumnKind = 'any' | 'text' | 'bytes' | 'bits' | 'bytea' | 'timestamp' | 'boolean' | 'number' | 'untyped';

const mysqlKinds: readonly (readonly [ColumnKind, RegExp])[] = [
  [
    'bytes',
    /^(?:(?:tiny|medium|long)?blob|(?:var)?binary|geometry|point|linestring|polygon|multi\w+|geom\w*collection)$/,
  ],
  ['bits', /^bit$/],
  ['timestamp', /^timestamp$/],
  ['number', /^(?:(?:tiny|small|medium|big)?int|integer|decimal|numeric|float|double|year|bool|boolean)\b/],
];

export function findKind(type: string, dialect: Dialect): ColumnKind {
  if (type === '') return 'untyped';
  if (dialect === 'mysql') return mysqlKinds.find(([, pattern]) => pattern.test(type))?.[0] ?? 'text';
  if (dialect === 'sqlite') return 'text';
  return type === 'bytea' ? 'bytea' : type === 'boolean' || type === 'bool' ? 'boolean' : 'text';
}

export interface ValueContext {
  readonly dialect: Dialect;
  readonly settings: DumpSettings;
  readonly decoding: TextDecoding;
}

/** The text of a column's value, of the bytes of its string. */
export function textOfBytes(
  bytes: Buffer,
  start: number,
  end: number,
  kind: ColumnKind,
  context: ValueContext,
): string | ValueFault {
  if (kind === 'any') return start === end ? '' : 'any';
  if (kind === 'bytes') return bytes.toString('hex', start, end);
  if (kind === 'bits') return bitsOf(bytes.subarray(start, end));
  const text = context.decoding.decode(bytes, start, end);
  if (text === undefined) return { code: 'dump-encoding', reason: `is not text in ${context.settings.charset}` };
  return textOfKind(text, kind, context);
}

function textOfKind(text: string, kind: ColumnKind, { settings }: ValueContext): string {
  if (kind === 'bytea') return hexOfBytea(text);
  if (kind === 'timestamp') return isTime(text) ? text + settings.zone : text;
  if (kind !== 'boolean') return text;
  return text === 'true' ? 't' : text === 'false' ? 'f' : text;
}

/** Not the zero date, which is no time anywhere. */
const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/.test(text) && !text.startsWith('0000-00-00');

/** `\x6865`, or the older form with octal escapes. */
function hexOfBytea(text: string): string {
  if (/^\\x[0-9a-f]*$/i.test(text)) return text.slice(2).toLowerCase();
  const bytes = Buffer.from(text);
  return unescaped(bytes, 0, bytes.length, 0, 'copy').toString('hex');
}

/** As `b'101'` writes it: without zeros in front. */
export function bitsOf(bytes: Buffer): string {
  return bytes.length === 0 ? '0' : BigInt(`0x${bytes.toString('hex')}`).toString(2);
}
