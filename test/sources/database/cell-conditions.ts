import type { Database } from '../../../src/sources/database/database.ts';
import type { CellCondition } from '../../../src/sources/tables/row.ts';

/** Rows of `t` for conditions on its cells: `bytes` writes eight hexadecimal digits as the system wants them. */
export const conditionRows = (bytes: (digits: string) => string) => `
  INSERT INTO t VALUES (9007199254740993, 'a', ${bytes('00ffab01')}), (2, 'A', NULL), (3, 'ä', NULL), (4, '', NULL), (5, NULL, ${bytes('00000000')}),
    (6, 'it''s "b" \\ %', NULL)`;

const none = (column: string, ...values: readonly string[]): CellCondition => ({ column, values, isOneOf: false });
const one = (column: string, ...values: readonly string[]): CellCondition => ({ column, values, isOneOf: true });

/** Conditions, and the ids of the rows that meet one of them. */
export const conditionCases: readonly (readonly [readonly CellCondition[], readonly string[]])[] = [
  [[one('id', '9007199254740993', '5', '77')], ['5', '9007199254740993']],
  [[one('word', 'a', '')], ['4', '5', '9007199254740993']],
  [[none('word', 'a', 'ä', '')], ['2', '6']],
  [[none('word', 'a', 'A', 'ä', `it's "b" \\ %`)], ['4', '5']],
  [[one('data', '00ffab01')], ['9007199254740993']],
  [[none('data', '', '00ffab01')], ['5']],
  [
    [one('word', 'ä'), one('data', '00000000')],
    ['3', '5'],
  ],
];

/** The ids that each condition finds. */
export async function foundBy(database: Database): Promise<typeof conditionCases> {
  const found: (typeof conditionCases)[number][] = [];
  for (const [anyOf] of conditionCases) {
    const lists = await Array.fromAsync(database.rowsWhere!('t', ['id'], { anyOf, max: 10 }));
    found.push([
      anyOf,
      lists
        .flat()
        .map(({ values }) => values[0]!)
        .toSorted(),
    ]);
  }
  return found;
}
