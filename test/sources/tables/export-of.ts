import type { Entry } from '../../../src/model/entry.ts';
import type { ConversationRecord, MessageRecord } from '../../../src/model/records.ts';
import type { TableContext } from '../../../src/sources/table-source.ts';
import { csv } from '../../../src/sources/csv/index.ts';
import { json } from '../../../src/sources/json/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

/** Messages as the tests here write them: `id,room,at,text`. */
export const messageColumns = {
  id: 'id',
  conversation: 'room',
  author: { constant: 'ann' },
  time: { from: 'at', format: 'unix-s' },
  text: 'text',
};

/** `m1` to `m3` in `r`. */
const threeMessages = 'id,room,at,text\nm1,r,1700000000,one\nm2,r,1700000001,two\nm3,r,1700000002,three\n';

type Source = Readonly<Record<string, unknown>>;

/** Returns the entries read from CSV files; `messages.csv` has three messages if it is not given. */
export const readCsv = (files: MemoryFiles, source: Source, context: Partial<TableContext> = {}): Promise<Entry[]> => {
  const { tables, ...sections } = source;
  const all = { 'messages.csv': threeMessages, ...files };
  const options = {
    messages: messageColumns,
    tables: { messages: { file: 'messages.csv' }, ...(tables as object) },
    ...sections,
  };
  return readAll(csv, memoryInput(all), context, options);
};

export const readJson = (files: MemoryFiles, source: Source): Promise<Entry[]> =>
  readAll(json, memoryInput(files), {}, { messages: messageColumns, ...source });

export const messagesIn = (entries: readonly Entry[]): MessageRecord[] =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));

export const conversationsIn = (entries: readonly Entry[]): ConversationRecord[] =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'conversation' ? [entry.record] : []));

/** `code path:line reason` of problems and invalid rows. */
export const faultsIn = (entries: readonly Entry[]): string[] =>
  entries.flatMap((entry) =>
    entry.type === 'skipped'
      ? [`skipped ${entry.location.path}:${entry.location.line} ${entry.rule}`]
      : entry.type === 'problem' || entry.type === 'invalid'
        ? [`${entry.code} ${entry.location.path}:${entry.location.line ?? ''} ${entry.reason}`]
        : [],
  );

export const filesIn = (entries: readonly Entry[]): Record<string, string> =>
  Object.fromEntries(entries.flatMap((entry) => (entry.type === 'file' ? [[entry.path, entry.role]] : [])));
