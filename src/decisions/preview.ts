import type { ExportInput } from '../io/input/export-input.ts';
import { SourceError } from '../lib/errors.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { isTableSource } from '../sources/table-source.ts';
import { type BeforeAfter, decidedPart, rowsWithMessages } from '../rows/rows-with-messages.ts';
import { keyPath, type Settings, withoutValue, withValue } from '../lib/settings.ts';
import type { OpenQuestion, Proposed } from './question.ts';
import { Counter } from './survey.ts';

/** Messages that are enough to choose from. */
const messagesMax = 1000;
/** Rows of each table: a table of millions of people would be read whole for the names of three authors. */
const rowsMax = 5000;

export interface LookControls {
  readonly workspace?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Returns rows and messages from the beginning of an export while questions are open; none if a placeholder for an answer would not do. */
export async function previewIfReadable(
  adapter: SourceAdapter,
  inputs: readonly ExportInput[],
  { filled, open }: Proposed,
  { workspace, signal = new AbortController().signal }: LookControls = {},
): Promise<readonly BeforeAfter[]> {
  const parsed = adapter.options.safeParse(withStandIns(filled ?? {}, open));
  if (!parsed.success || !isTableSource(adapter)) return [];
  try {
    const parts = open.flatMap(({ key }) => decidedPart(key) ?? []);
    const reading = { ...new Counter(messagesMax).reading, workspace, signal, look: { rowsMax }, open: parts };
    return await rowsWithMessages({ ...reading, adapter, inputs, sourceOptions: parsed.data });
  } catch (error) {
    // An open question may be about something without which nothing can be read; the questions are asked all the same.
    if (error instanceof SourceError && open.length > 0) return [];
    throw error;
  }
}

/** Adds values that let a row become a message whatever its columns contain; the parts that they decide are not shown. */
const withStandIns = (options: Settings, open: readonly OpenQuestion[]): Settings =>
  open.reduce((rest, { key, readings }) => {
    const [section, name] = keyPath(key);
    // A table that is open may have no section yet, without which it cannot be read.
    if (section === 'tables' && name !== undefined && rest[name] === undefined)
      return withoutValue(rest, [section, name]);
    const standIn = section === 'messages' && name !== undefined ? standIns[name] : undefined;
    if (standIn !== undefined) return withValue(rest, ['messages', name!], standIn);
    return readings.length === 0 ? withValue(rest, keyPath(key), unknown) : rest;
  }, options);

const unknown = { constant: '?' };
const standIns: Readonly<Record<string, unknown>> = {
  time: { from: { constant: '2000-01-01T00:00:00Z' } },
  conversation: unknown,
  text: { from: unknown },
};
