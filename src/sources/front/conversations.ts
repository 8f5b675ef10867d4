import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Location } from '../../lib/text/location.ts';
import { asArray, asObject } from '../kit/narrow.ts';
import { readJsonEntries } from '../kit/rows/json-entries.ts';
import type { Layout } from './layout.ts';
import { type Directory, kindOfRow, type Row } from './rows.ts';

interface MessageFile extends Pick<Layout, 'at' | 'hasAnswers'> {
  readonly path: string;
  readonly directory: Directory;
  readonly signal: AbortSignal;
}

/** Quotes in texts have a backslash in front: this is never in one. */
const ofConversation = /"id"\s{0,20}:\s{0,20}"cnv_|"status"\s{0,20}:/;
/** Longer than what the pattern finds. */
const seamLength = 100;

/**
 * Adds the conversations in a file of messages to the directory: one that was deleted, or its recipient, may be behind its messages, or in another file.
 * A file without conversations is not taken apart. What cannot be read is named when its messages are.
 */
export async function addConversationsIn(
  input: ExportInput,
  { path, at, hasAnswers, directory, signal }: MessageFile,
): Promise<void> {
  const addRow = (value: unknown, location: Location) => {
    const row = asObject<Row>(value) as Row | undefined;
    if (row !== undefined && kindOfRow(row) === 'conversation') directory.add(row, location);
  };
  signal.throwIfAborted();
  try {
    if (!(await holdsConversations(input, path, signal))) return;
    const entries = readJsonEntries(input, path, at, {
      add({ value, location }) {
        if (!hasAnswers) addRow(value, location);
        else for (const row of asArray(asObject<{ _results: unknown }>(value)?._results)) addRow(row, location);
        return undefined;
      },
      addFault: () => {},
      end: () => [],
    });
    for await (const _ of entries) signal.throwIfAborted();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
}

async function holdsConversations(input: ExportInput, path: string, signal: AbortSignal): Promise<boolean> {
  let seam = '';
  for await (const chunk of input.open(path)) {
    signal.throwIfAborted();
    const text = seam + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    if (ofConversation.test(text)) return true;
    seam = text.slice(-seamLength);
  }
  return false;
}
