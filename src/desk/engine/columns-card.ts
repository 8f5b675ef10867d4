import { customName } from '../../decisions/proposal.ts';
import { dotted, type Settings, valueAt } from '../../lib/settings.ts';
import type { LoggedDecision } from '../../report/decision-log.ts';
import type { UnreadColumn } from '../../sources/not-migrated.ts';
import type { Card } from '../shapes.ts';

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
    question: 'Which columns that nothing reads should be kept?',
    why: 'They can be kept as custom data of the messages.',
    about: { count: columns[0]!.rows, of: 'rows', isExact: true },
    examples: [],
    options: columns.map(({ name, rows }) => ({
      does: `Keep "${name}"`,
      effect: { sets: { [dotted([...place, customName(name)])]: name } },
      because: rows === 1 ? '1 row with a value' : `${rows} rows with a value`,
      isProposed: false,
      isLastResort: false,
    })),
    ifUndecided: { keepsBack: 'they are not migrated' },
    isOptional: true,
    ...{ isAll: false, found: null, takesSeveral: true },
    answer:
      kept.length === 0
        ? null
        : { option: null, value: kept.join(', '), by: logged?.by ?? null, atMs: logged?.atMs ?? null, holds: true },
  };
}
