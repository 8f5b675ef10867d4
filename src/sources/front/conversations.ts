import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import { asArray, asObject } from '../kit/narrow.ts';
import { readFirst } from '../kit/rows/first-pass.ts';
import type { Layout } from './layout.ts';
import { type Directory, kindOfRow, type Row } from './rows.ts';

interface MessageFile extends Pick<Layout, 'at' | 'hasAnswers'> {
  readonly path: string;
  readonly signal: AbortSignal;
}

const pattern = /"id"\s{0,20}:\s{0,20}"cnv_|"status"\s{0,20}:/;

/** Adds the conversations in a file of messages to the directory: one that was deleted, or its recipient, may be behind its messages. */
export async function addConversationsIn(
  input: ExportInput,
  { hasAnswers, ...file }: MessageFile,
  directory: Directory,
): Promise<void> {
  const addRow = (value: unknown, location: Location) => {
    const row = asObject<Row>(value) as Row | undefined;
    if (row !== undefined && kindOfRow(row) === 'conversation') directory.add(row, location);
  };
  await readFirst(input, { ...file, pattern }, ({ value, location }) => {
    if (!hasAnswers) addRow(value, location);
    else for (const row of asArray(asObject<{ _results: unknown }>(value)?._results)) addRow(row, location);
  });
}
