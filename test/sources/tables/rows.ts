import { z } from 'zod';
import type { Entry } from '../../../src/model/entry.ts';
import type { MessageRecord } from '../../../src/model/records.ts';
import { createBinders } from '../../../src/sources/tables/bind/binders.ts';
import { parsePath, type Row, valueAt } from '../../../src/sources/tables/row.ts';
import { bindingShape } from '../../../src/sources/tables/schema/bindings.ts';

/** A row of these values, by path. */
export const rowOf = (values: Readonly<Record<string, unknown>>, line = 1): Row => ({
  type: 'row',
  get: (name) => valueAt(values, parsePath(name)),
  names: () => Object.keys(values),
  location: { path: 'a.csv', line },
});

const essentials = {
  id: 'id',
  conversation: { constant: 'c' },
  time: { from: 'time', format: 'unix-s' },
  text: 'text',
};
const usual = { id: '1', time: '1700000000', text: 'hi' };

/** Binds rows by a mapping of messages. Values that neither the mapping nor the rows set have their defaults. */
export function bindAll(
  messages: Readonly<Record<string, unknown>>,
  rows: readonly Readonly<Record<string, unknown>>[],
  more: Readonly<Record<string, unknown>> = {},
): Entry[] {
  const bindings = z.strictObject(bindingShape()).parse({ messages: { ...essentials, ...messages }, ...more });
  const { messages: binder } = createBinders(
    { ...bindings, messages: bindings.messages! },
    { source: 'csv', workspace: 'w' },
  );
  const entries: Entry[] = [];
  binder.beginFile();
  for (const [index, row] of rows.entries()) binder.bind(rowOf({ ...usual, ...row }, index + 1), entries);
  binder.endFile('a.csv', entries);
  return entries;
}

export const messagesIn = (entries: readonly Entry[]): MessageRecord[] =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));

/** The only message of one row. */
export function bindOne(
  messages: Readonly<Record<string, unknown>>,
  row: Readonly<Record<string, unknown>>,
): MessageRecord {
  const [message] = messagesIn(bindAll(messages, [row]));
  if (!message) throw new Error('The row became no message');
  return message;
}
