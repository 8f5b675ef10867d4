import { formatFault, type TimeReader, timeReader } from '../../../kit/time/time-reading.ts';
import { valueText } from '../../bind/value.ts';
import type { Row } from '../../row.ts';
import { RowOrder } from '../../row-order.ts';
import { type ColumnChoice, count } from '../columns.ts';

const key = 'messages.order';

/** Proposes the order of the rows, by times and ids. Asks if these do not show it and messages share one time. */
export function proposeOrder(columns: ColumnChoice): void {
  const { draft } = columns;
  const readSentTime = sentTimes(columns);
  if (!readSentTime || draft.at(key) !== undefined) return;
  const order = findOrder(columns, readSentTime);
  if (order.order === 'oldest-first') return;
  const { times, ids, ties } = order;
  const said = [
    `times rise in ${count(times.rising)} and fall in ${count(times.falling)} neighbouring rows`,
    ...(ties > 0 ? [`${count(ties)} have the time of the one before`] : []),
    ...(ids.rising + ids.falling > 0
      ? [`with ids that rise in ${count(ids.rising)} and fall in ${count(ids.falling)}`]
      : []),
  ].join(', ');
  if (order.order !== undefined) draft.choose(key, { value: order.order, because: said });
  else if (ties > 0) {
    const readings = [
      { value: 'oldest-first', because: 'the first row of one time was written first' },
      { value: 'newest-first', because: 'the last row of one time was written first' },
    ];
    draft.choose(key, { because: said, alternatives: readings, isRequired: true });
  }
}

function findOrder({ rows, draft }: ColumnChoice, sentTimeOf: (row: Row) => ReturnType<TimeReader>): RowOrder {
  const read = (name: string) => {
    const column = draft.at(name);
    return (row: Row) => (typeof column === 'string' ? valueText(row.get(column)) : undefined);
  };
  const [conversationOf, idOf] = [read('messages.conversation'), read('messages.id')];
  const order = new RowOrder();
  for (const row of rows) {
    const time = sentTimeOf(row);
    // Rows of two files are no neighbours.
    const conversation = JSON.stringify([row.location.path, conversationOf(row)]);
    if (time) order.note(conversation, idOf(row), time);
  }
  return order;
}

/** How the times of rows are read, as far as it is decided. */
function sentTimes({ draft }: ColumnChoice): ((row: Row) => ReturnType<TimeReader>) | undefined {
  const column = draft.columnAt('messages.time');
  const format = typeof draft.at('messages.time') === 'string' ? 'iso' : draft.at('messages.time.format');
  if (column === undefined || typeof format !== 'string' || formatFault(format)) return undefined;
  const read = timeReader(format, undefined);
  return (row) => read(valueText(row.get(column)) ?? '');
}
