import { customName } from '../../decisions/proposal.ts';
import { dotted, type Settings, valueAt } from '../../lib/settings.ts';
import type { LoggedDecision } from '../../report/decision-log.ts';
import type { UnreadColumn } from '../../sources/not-migrated.ts';
import type { Card } from '../shapes.ts';
import { toAffected } from './finding-cards.ts';

const place = ['source', 'messages', 'custom'] as const;

/** The choice of columns that are kept as custom data; undefined if every column is read. @param columns Those that nothing reads. */
export function columnsCard(
  columns: readonly UnreadColumn[],
  rules: Settings,
  decisions: readonly LoggedDecision[],
): Card | undefined {
  if (columns.length === 0) return undefined;
  const kept = Object.keys((valueAt(rules, place) ?? {}) as object);
  const logged = decisions.findLast(({ card }) => card === 'columns');
  return {
    id: 'columns',
    kind: 'columns',
    title: 'Columns that nothing reads',
    key: null,
    because: 'They can be kept as custom data of the messages.',
    evidence: [],
    affects: toAffected('rows', columns[0]!.rows),
    otherwise: 'they are not migrated',
    answers: columns.map(({ name, rows }) => ({
      label: name,
      because: rows === 1 ? '1 row with a value' : `${rows} rows with a value`,
      sets: [{ key: dotted([...place, customName(name)]), value: name }],
      isProposed: false,
      isLastResort: false,
    })),
    takesText: false,
    takesSeveral: true,
    decided:
      kept.length === 0
        ? null
        : { answer: null, value: kept.join(', '), by: logged?.by ?? null, atMs: logged?.atMs ?? null, holds: true },
  };
}
