import type { ExportInput } from '../../../io/input/export-input.ts';
import { SourceError } from '../../../lib/errors.ts';
import { type GoodRow, readJsonEntries } from './json-entries.ts';
import type { JsonRowsAt } from './json-rows.ts';

interface FirstPass {
  readonly path: string;
  readonly at: JsonRowsAt;
  /** A file without this in it is not taken apart; any blanks between tokens. Quotes in texts have a backslash in front, so a key is never found in one. */
  readonly pattern: RegExp;
  readonly signal: AbortSignal;
}

/** Longer than what patterns find. */
const seamLength = 200;

/**
 * Reads the rows of a file of messages once more, before its messages: facts that they need may be behind them, or in another such file.
 * What cannot be read is named when the messages are.
 */
export async function readFirst(
  input: ExportInput,
  { path, at, pattern, signal }: FirstPass,
  add: (row: GoodRow) => void,
): Promise<void> {
  signal.throwIfAborted();
  const file = {
    add(row: GoodRow) {
      add(row);
      return undefined;
    },
    addFault: () => {},
    end: () => [],
  };
  try {
    if (!(await holds(input, path, { pattern, signal }))) return;
    for await (const _ of readJsonEntries(input, path, at, file)) signal.throwIfAborted();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
}

async function holds(
  input: ExportInput,
  path: string,
  { pattern, signal }: Pick<FirstPass, 'pattern' | 'signal'>,
): Promise<boolean> {
  let seam = '';
  for await (const chunk of input.open(path)) {
    signal.throwIfAborted();
    const text = seam + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    if (pattern.test(text)) return true;
    seam = text.trimEnd().slice(-seamLength);
  }
  return false;
}
