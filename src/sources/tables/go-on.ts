import type { ReadEnd } from '../../model/entry.ts';
import { type AssignedTable, type AssignedTables, assignTables, type Tables } from './assign-tables.ts';
import type { Table } from './binding.ts';

/** Whether nothing but messages is read from its file: then the file can be read from where it ended. */
export const isAlone = <T>(
  { users, conversations, messages }: AssignedTables<T>,
  { path }: AssignedTable<T>,
): boolean => [...users, ...conversations, ...messages].filter((table) => table.path === path).length === 1;

/** The table of messages that a file holds, where it holds nothing else. */
export function messagesAlone<T extends Table>(
  paths: readonly string[],
  tables: Tables<T> | undefined,
  { path, isTable }: { readonly path: string; readonly isTable: (path: string) => boolean },
): AssignedTable<T> | undefined {
  const assigned = assignTables(paths, tables, isTable);
  const found = assigned.messages.find((table) => table.path === path);
  return found && isAlone(assigned, found) ? found : undefined;
}

/** What has to be known for going on: of the format, of the table, and of its rows. */
interface TableState {
  readonly reader: unknown;
  /** Whether the columns were looked for that the mapping names. */
  readonly isChecked: boolean;
  readonly rows: unknown;
}

/** @returns What an earlier reading of the file left, for the format and for the table. */
export function goOnFrom(end: ReadEnd | undefined) {
  if (end === undefined) return undefined;
  const { reader, ...state } = end.state as TableState;
  return { ...state, end: { ...end, state: reader } };
}

/** What the format said of an earlier end. */
export const readerStateOf = (end: ReadEnd): unknown => (end.state as TableState).reader;

/** Where the file ended, with all that has to be known; nothing where that would be too much. */
export function tableEnd(end: ReadEnd, state: Omit<TableState, 'reader'>): ReadEnd | undefined {
  return state.rows === undefined ? undefined : { ...end, state: { ...state, reader: end.state } satisfies TableState };
}
