import { nearestName } from '../../../lib/text/nearest-name.ts';
import type { AnswerFault } from '../../source.ts';
import type { Row } from '../row.ts';
import { namesIn, type Section } from './bound-columns.ts';
import { namesOf } from './columns.ts';

/** Columns that the user's own bindings name and the table does not have, with the name that was probably meant. */
export function answeredColumnFaults(section: Section, decided: unknown, rows: readonly Row[]): readonly AnswerFault[] {
  if (typeof decided !== 'object' || decided === null || rows.length === 0) return [];
  const known = namesOf(rows);
  const isFixed = rows[0]!.names().join('\n') === rows.at(-1)!.names().join('\n');
  return Object.entries(decided).flatMap(([key, value]) =>
    namesIn(section, key, value).flatMap((name): AnswerFault[] => {
      if (known.includes(name) || rows.some((row) => row.get(name) !== undefined)) return [];
      const meant = nearestName(name, known);
      // Rows of JSON may have fields that no row of the sample has.
      if (!isFixed && meant === undefined) return [];
      const instead = meant === undefined ? '.' : `; did you mean ${JSON.stringify(meant)}?`;
      const columns = known.slice(0, 30).map((column) => JSON.stringify(column));
      return [
        {
          key: `${section}.${key}`,
          reason: `There is no column ${JSON.stringify(name)}${instead} The columns are ${columns.join(', ')}`,
        },
      ];
    }),
  );
}
