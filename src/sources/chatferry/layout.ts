import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import { withoutClutter } from '../kit/files/paths.ts';
import { type Head, readHead } from './head.ts';
import { readHeader } from './line-fault.ts';

/** Every path of an input, sorted into what is done with it. */
export interface Layout {
  /**
   * Files that describe people or conversations, and what else they hold. Messages of any file refer to those, so these
   * files are read first and always, and a change in one means reading everything. Those of people alone come first,
   * then those that begin with people.
   */
  readonly shared: readonly string[];
  /** Files of messages. */
  readonly rows: readonly string[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly unknown: readonly string[];
}

/** Enough for some hundred lines, so that a few messages before the first person make no difference. */
const headBytes = 256 * 1024;

/** Names under which such files go. Under another name a file is known by its first lines. */
export const isNamedAsOurs = (path: string): boolean => /\.(?:ndjson|jsonl)$/i.test(path);

/**
 * Looks at the beginning of each file.
 *
 * @throws SourceError if a header is one that we cannot read, or if two files hold messages of different sources.
 */
export async function arrange(input: ExportInput, signal: AbortSignal): Promise<Layout> {
  const { own: paths, clutter } = withoutClutter(await input.paths());
  const found: Record<Head['describes'] | 'unknown', string[]> = {
    only: [],
    'before-messages': [],
    'behind-messages': [],
    nothing: [],
    unknown: [],
  };
  let first: { readonly path: string; readonly source: string } | undefined;
  for (const path of paths) {
    signal.throwIfAborted();
    const head = await readHead(input, path, headBytes);
    if (paths.length > 1 && head.match === 'no' && !isNamedAsOurs(path)) {
      found.unknown.push(path);
      continue;
    }
    if (head.header !== undefined) readHeader(head.header.value, { path, line: head.header.line });
    if (head.source !== undefined) first ??= { path, source: head.source };
    if (head.source !== undefined && head.source !== first?.source) throw otherSource(first!, path, head.source);
    found[head.describes].push(path);
  }
  const shared = [...found.only, ...found['before-messages'], ...found['behind-messages']];
  return { shared, rows: found.nothing, skipped: clutter, unknown: found.unknown };
}

const otherSource = (first: { readonly path: string; readonly source: string }, path: string, source: string) =>
  new SourceError(
    `Cannot read "${first.path}" and "${path}" together: messages of source "${first.source}" and of source "${source}"`,
    { hint: 'Plan them one after the other, each with its own --store' },
  );
