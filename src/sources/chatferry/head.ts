import type { ExportInput } from '../../io/input/export-input.ts';
import { readJsonLines } from '../../io/json/json-lines.ts';
import { SourceError } from '../../lib/errors.ts';
import { inChunks } from '../kit/files/file-bytes.ts';
import type { ReadLine } from './file-lines.ts';
import { type Line, lineOptions, lineSchema } from './format.ts';
import { isHeader } from './line-fault.ts';

/** Facts from the beginning of a file. */
export interface Head {
  /** `ours`: it has a line of this format; `maybe`: one that looks like it, and has faults. */
  readonly match: 'ours' | 'maybe' | 'no';
  /** Whether it contains people or conversations, and messages before or after the first of them. */
  readonly describes: 'only' | 'before-messages' | 'behind-messages' | 'nothing';
  /** Its header, unchecked, where it begins with one. */
  readonly header: { readonly value: unknown; readonly line: number } | undefined;
  /** Source that its header or its first message names. */
  readonly source: string | undefined;
}

/** Result for a file without a single line at its beginning: nothing. */
const blank: Head = { match: 'no', describes: 'nothing', header: undefined, source: undefined };

/** Inspects the whole lines among the first `byteCount` bytes. A file that cannot be read gives no result here: reading it reports why. */
export async function readHead(input: ExportInput, path: string, byteCount: number): Promise<Head> {
  try {
    const bytes = await input.head(path, byteCount);
    return headOfLines((await Array.fromAsync(readJsonLines(inChunks(bytes), lineOptions))).flat());
  } catch (error) {
    if (error instanceof SourceError) return blank;
    throw error;
  }
}

function headOfLines(lines: readonly ReadLine[]): Head {
  const values = lines.map(({ value }) => value);
  const parsed = values.flatMap((value) => lineSchema.safeParse(value).data ?? []);
  const [first] = lines;
  return {
    match: parsed.length > 0 ? 'ours' : values.some(looksLikeOurs) ? 'maybe' : 'no',
    describes: findDescriptions(values.map(kindOf)),
    header: first && isHeader(first.value) ? { value: first.value, line: first.line } : undefined,
    source: parsed.map(sourceOf).find((source) => source !== undefined),
  };
}

function findDescriptions(kinds: readonly unknown[]): Head['describes'] {
  const description = kinds.findIndex((kind) => kind === 'user' || kind === 'conversation');
  const message = kinds.indexOf('message');
  if (description === -1) return 'nothing';
  if (message === -1) return 'only';
  return description < message ? 'before-messages' : 'behind-messages';
}

const kindOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;

/** Fields that distinguish a record from what others call a user or a message. */
const tellingFields: Readonly<Record<string, readonly string[]>> = {
  chatferry: ['version'],
  user: ['id', 'name'],
  conversation: ['id', 'type', 'members'],
  message: ['origin', 'sentAtMs'],
};

function looksLikeOurs(value: unknown): boolean {
  const kind = kindOf(value);
  const fields = typeof kind === 'string' && Object.hasOwn(tellingFields, kind) ? tellingFields[kind]! : undefined;
  return fields?.every((field) => Object.hasOwn(value as object, field)) ?? false;
}

function sourceOf(line: Line): string | undefined {
  if (line.kind === 'chatferry') return line.source;
  return line.kind === 'message' ? line.origin.source : undefined;
}
