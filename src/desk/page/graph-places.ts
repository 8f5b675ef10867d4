import type { SchemaView } from '../shapes.ts';

/** Middle of a table in the picture. */
interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Picture {
  readonly places: ReadonlyMap<string, Place>;
  readonly height: number;
}

/** Units of the picture. */
export const size = { width: 1000, nodeWidth: 150, nodeHeight: 42 } as const;

const nodesMax = 40;

/** Tables in a row of neighbours, and the distance between rows. */
const perRow = 6;
const rowHeight = 58;

/** Middles of the three columns of tables that are read: people, messages, conversations. */
const columns = [170, 500, 830] as const;

function pickColumn(role: string | null): number {
  if (/^(?:users|people|authors)/.test(role ?? '')) return 0;
  return /^(?:conversations|rooms|channels|members)/.test(role ?? '') ? 2 : 1;
}

/** Places tables that are read in three columns, and the tables that their keys lead to above and below. */
export function layoutTables({ tables, links }: Pick<SchemaView, 'tables' | 'links'>): Picture {
  const withRole = tables.filter(({ role }) => role !== null);
  const messagesFirst = withRole.toSorted(
    (one, other) => Number(other.role === 'messages') - Number(one.role === 'messages'),
  );
  const read = messagesFirst.slice(0, nodesMax);
  const names = new Set(read.map(({ name }) => name));
  const near = new Set(
    links.flatMap(({ from, to }) => [...(names.has(from) ? [to] : []), ...(names.has(to) ? [from] : [])]),
  );
  const others = [...near].filter((name) => !names.has(name)).slice(0, nodesMax - read.length);
  const byColumn = Map.groupBy(read, ({ role }) => pickColumn(role));
  const tallest = Math.max(1, ...[...byColumn.values()].map((of) => of.length));
  const rows = Math.ceil(others.length / perRow);
  const top = Math.ceil(rows / 2) * rowHeight;
  const middle = tallest * rowHeight + (rows > 0 ? rowHeight : 0);
  const places = new Map<string, Place>();
  for (const [column, of] of byColumn) {
    const from = top + middle / 2 - ((of.length - 1) * rowHeight) / 2;
    for (const [index, { name }] of of.entries())
      places.set(name, { x: columns[column]!, y: from + index * rowHeight });
  }
  for (const [index, name] of others.entries()) {
    const row = Math.floor(index / perRow);
    const inRow = Math.min(perRow, others.length - row * perRow);
    const y = row * rowHeight + rowHeight / 2 + (row * rowHeight < top ? 0 : middle);
    places.set(name, { x: (size.width * ((index % perRow) + 0.5)) / inRow, y });
  }
  return { places, height: top + middle + (rows * rowHeight - top) };
}
