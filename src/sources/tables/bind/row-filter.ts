import { formatCount } from '../../../lib/text/count.ts';
import type { Entry } from '../../../model/entry.ts';
import type { Condition, FilterBinding } from '../schema/messages.ts';
import type { Row } from '../row.ts';
import { type BindingScope, valueText } from './value.ts';

/** Which rows the mapping leaves out, and how many they were. */
export interface RowFilter {
  /** @returns The rule by which a row is left out, counted. */
  leavesOut(row: Row): string | undefined;
  /** Says how many were left out since the last time. */
  end(path: string, into: Entry[]): void;
}

export interface BoundCondition {
  /** `only: status`, as the rule is counted. */
  readonly rule: string;
  readonly text: (row: Row) => string | undefined;
  readonly holds: (value: string) => boolean;
}

/**
 * The columns are required, unless every row passes: without them private rows would pass. An empty cell equals the empty text; white space around a value does not count.
 *
 * @param others By which rows are left out as well.
 */
export function bindRowFilter(
  { only, skipWhen }: FilterBinding,
  scope: BindingScope,
  others: readonly BoundCondition[] = [],
): RowFilter {
  const wanted = bindConditions('only', only, scope);
  const unwanted = [...bindConditions('skipWhen', skipWhen, scope), ...others];
  const counts = new Map<string, number>();
  const count = (rule: string) => {
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
    return rule;
  };
  return {
    leavesOut(row) {
      for (const condition of unwanted) if (isTrue(condition, row)) return count(condition.rule);
      for (const condition of wanted) if (!isTrue(condition, row)) return count(condition.rule);
      return undefined;
    },
    end(path, into) {
      for (const [rule, rows] of counts) {
        const reason = `Rows that the mapping's "${rule}" left out: ${formatCount(rows)}`;
        into.push({ type: 'problem', code: 'left-out', reason, location: { path } });
      }
      counts.clear();
    },
  };
}

const isTrue = ({ text, holds }: BoundCondition, row: Row): boolean => holds(text(row)?.trim() ?? '');

/** Whether a row meets all of some conditions. */
export function bindCondition(rules: FilterBinding['only'], scope: BindingScope): (row: Row) => boolean {
  const conditions = bindConditions('only', rules, scope);
  return (row) => conditions.every((condition) => isTrue(condition, row));
}

const bindConditions = (
  kind: keyof FilterBinding,
  rules: FilterBinding['only'],
  scope: BindingScope,
): readonly BoundCondition[] =>
  Object.entries(rules ?? {}).map(([column, condition]) => {
    const read = scope.column(column, isEvery(condition) ? 'optional' : 'required');
    const text = (row: Row) => valueText(read(row));
    const { onWord } = scope;
    return {
      rule: `${kind}: ${column}`,
      text: onWord && namesWords(condition) ? (row: Row) => noted(text(row), (word) => onWord(column, word)) : text,
      holds: bindCheck(condition),
    };
  });

function noted(text: string | undefined, note: (word: string) => void): string | undefined {
  note(text?.trim() ?? '');
  return text;
}

/** Whether a condition lists values: another value, once it comes up, was asked about by nobody. */
const namesWords = (condition: Condition): boolean => typeof condition !== 'object' || Array.isArray(condition);

/** Whether a condition leaves no row out. */
export const isEvery = (condition: Condition): condition is Extract<Condition, { any: true }> =>
  typeof condition === 'object' && 'any' in condition;

function bindCheck(condition: Condition): BoundCondition['holds'] {
  if (isEvery(condition)) return () => true;
  if (typeof condition === 'object' && 'filled' in condition) return (value) => (value !== '') === condition.filled;
  if (typeof condition === 'object' && 'prefix' in condition) {
    const beginnings = [condition.prefix].flat();
    return (value) => beginnings.some((beginning) => value.startsWith(beginning));
  }
  const values = new Set([condition].flat().map((value) => value.trim()));
  return (value) => values.has(value);
}
