import { isTable, keyPath } from '../../../lib/settings.ts';
import type { Finding, RowsLookedAt, ValueRows } from '../../table-source.ts';
import { profileColumn } from './columns.ts';
import type { TableGroup } from './graph/groups.ts';
import { countRows } from './which-rows.ts';

/** More values than these are not counted: such a column sorts rows by whether there is a value. */
const valuesMax = 1000;

/** Says of a finding how many rows it comes from, and which values sort them. */
export function withRows(
  finding: Finding,
  findTable: (role: string) => TableGroup | undefined,
  nulls: readonly string[],
): Finding {
  const [section = '', name = ''] = keyPath(finding.key);
  const group = findTable(section === 'tables' ? name : section in ofMessages ? 'messages' : section);
  if (group === undefined) return finding;
  const { rows } = group.sample;
  const columns = sortingColumns(finding).map((column) => [column, countValues(group, column, nulls)] as const);
  const looked: RowsLookedAt = {
    count: rows.length,
    isWhole: !group.isCut && !group.parts.some(({ isAtLeast }) => isAtLeast),
    values: Object.fromEntries(columns.filter(([, values]) => values.length > 0)),
  };
  return { ...finding, rows: looked };
}

/** Settings of the whole source that are about messages. */
const ofMessages = { zone: true, nulls: true };

/** Columns by which the readings of a finding sort rows. */
function sortingColumns({ key, value, alternatives }: Finding): readonly string[] {
  const [section, name, ...column] = keyPath(key);
  if (name === 'only' && column.length > 0) return [column.join('.')];
  const readings = [value, ...alternatives.map((reading) => reading.value)].filter(isTable);
  if (name === 'only' || name === 'skipWhen') return [...new Set(readings.flatMap(Object.keys))];
  const isSorting = key === 'messages.kind' || key === 'conversations.type';
  return section !== 'tables' && isSorting
    ? [...new Set(readings.flatMap(({ from }) => (typeof from === 'string' ? [from] : [])))]
    : [];
}

function countValues({ sample: { rows } }: TableGroup, column: string, nulls: readonly string[]): readonly ValueRows[] {
  const profile = profileColumn(rows, column, nulls);
  const counts = countRows(profile);
  const empty = profile.rowCount - profile.texts.length;
  if (counts.size > valuesMax) return [];
  const values = [...counts].map(([value, count]) => ({ value, rows: count }));
  return [...values, ...(empty > 0 ? [{ value: '', rows: empty }] : [])].toSorted((a, b) => b.rows - a.rows);
}
