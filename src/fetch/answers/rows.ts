import { isYes, scalarText, valueAt } from './exact-json.ts';
import type { Step } from '../recipe/recipe.ts';
import { fill, type Values } from '../template.ts';

/** The rows of an answer; undefined if it has no list. */
export function rowsIn(step: Step, values: Values, json: unknown): readonly unknown[] | undefined {
  const takesValues = step.rows.endsWith('/*');
  const pointer = fill(takesValues ? step.rows.slice(0, -2) : step.rows, values, (value) =>
    value.replaceAll('~', '~0').replaceAll('/', '~1'),
  );
  const found = valueAt(json, pointer);
  if (Array.isArray(found)) return found;
  const isObject = typeof found === 'object' && found !== null;
  if (isObject && takesValues) return Object.values(found).flat();
  // An object where a list belongs may be an error that came with status 200.
  if (isObject && step.rows === '') return [found];
  return step.optional && (found === undefined || found === null) ? [] : undefined;
}

export function readId({ id }: Step, row: unknown): string | undefined {
  if (typeof id === 'string') return scalarText(valueAt(row, id));
  const parts = id.map((pointer) => scalarText(valueAt(row, pointer)));
  return parts.every((part) => part === undefined) ? undefined : JSON.stringify(parts);
}

export function readValues({ values }: Step, row: unknown): Values {
  const found: Record<string, string> = {};
  for (const [name, pointer] of Object.entries(values)) found[name] = scalarText(valueAt(row, pointer)) ?? '';
  return found;
}

/** Whether a row bears a mark. Without one, every row does. */
export function holds(mark: Step['when'], row: unknown): boolean {
  if (mark === undefined) return true;
  const value = valueAt(row, mark.field);
  const text = scalarText(value);
  if (mark.is !== undefined) return [mark.is].flat().some((one) => String(one) === text);
  // A value that is not there means no, if yes or no is asked for.
  if (typeof mark.not === 'boolean') return isYes(value) !== mark.not;
  return isYes(value) && (mark.not === undefined || text !== String(mark.not));
}

export function numberAt(answer: unknown, pointer: string | undefined): number | undefined {
  const value = pointer === undefined ? undefined : valueAt(answer, pointer);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
