import { readFlag } from '../../../model/visibility-words.ts';
import type { Row } from '../row.ts';
import type { TimeBinding } from '../schema/expressions.ts';
import { type ReadTime, timeReader } from '../../kit/time/time-reading.ts';
import { type BindingScope, isYes, type Need, valueText } from './value.ts';

/** A time of a row. Its original text is kept with it, for messages and generated ids. */
export type BoundTime =
  | { readonly state: 'absent' }
  | { readonly state: 'read'; readonly text: string; readonly time: ReadTime }
  | { readonly state: 'bad'; readonly text: string };

export interface TimeDefaults {
  readonly zone: string | undefined;
  /** For bindings that are only a column. Default iso. */
  readonly format?: string;
}

export function bindTime(
  binding: TimeBinding,
  scope: BindingScope,
  defaults: TimeDefaults,
  need: Need = 'optional',
): (row: Row) => BoundTime {
  const read = timeReader(formatOf(binding, defaults), zoneOf(binding, defaults));
  const value = rawTime(binding, scope, need);
  return (row) => {
    const text = valueText(value(row));
    if (text === undefined || text.startsWith('0000-00-00')) return { state: 'absent' };
    const time = read(text);
    return time ? { state: 'read', text, time } : { state: 'bad', text };
  };
}

/** The same for a column that may hold a flag instead: `yes` for one that is set. */
export function bindTimeOrFlag(
  binding: TimeBinding,
  scope: BindingScope,
  defaults: TimeDefaults,
): (row: Row) => BoundTime | { readonly state: 'yes' } {
  const asTime = bindTime(binding, scope, defaults);
  return (row) => {
    const bound = asTime(row);
    if (bound.state === 'absent' || !isYes(bound.text)) return { state: 'absent' };
    return readFlag(bound.text) === true ? { state: 'yes' } : bound;
  };
}

export const formatOf = (binding: TimeBinding, { format = 'iso' }: Partial<TimeDefaults> = {}): string =>
  typeof binding === 'string' ? format : binding.format;

const zoneOf = (binding: TimeBinding, { zone }: TimeDefaults) =>
  typeof binding === 'string' ? zone : (binding.zone ?? zone);

function rawTime(binding: TimeBinding, scope: BindingScope, need: Need): (row: Row) => unknown {
  if (typeof binding === 'string') return scope.column(binding, need);
  if ('from' in binding) return scope.value(binding.from, need);
  const date = scope.text(binding.date, need);
  const time = scope.text(binding.time);
  return (row) => {
    const day = date(row);
    const timeOfDay = time(row);
    return day !== undefined && timeOfDay !== undefined ? `${day} ${timeOfDay}` : day;
  };
}
