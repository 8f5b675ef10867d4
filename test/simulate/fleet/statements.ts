import type { Query } from '../../../src/fleet/database/database.ts';
import type { FleetModel } from './model.ts';

/** Asks the model something, in one transaction. */
export type AskModel = <T>(ask: (model: FleetModel) => T) => Promise<T>;

export interface StatementOptions {
  /** A request leaves whatever the database says. */
  readonly isUnfenced: boolean;
}

/**
 * The database as the fleet's gate and pace see it: their statements, each known by a piece of it, are asked of the model.
 *
 * @throws where another statement is asked: the model does not know it yet.
 */
export function queryOf(ask: AskModel, options: StatementOptions): Query {
  return async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
    const found = statements.find(([piece]) => sql.includes(piece));
    if (!found) throw new Error(`The model of the database knows no such statement: ${sql}`);
    return (await ask((model) => found[1](model, values, options))) as readonly Row[];
  };
}

type Statement = readonly [
  piece: string,
  rows: (model: FleetModel, values: readonly unknown[], options: StatementOptions) => readonly object[],
];

const statements: readonly Statement[] = [
  [
    'ferry.leave(',
    (model, values, { isUnfenced }) => {
      const [job, attempt, unit, token] = values as [string, number, string, string];
      const [muids, , arrivals] = values.slice(4) as [readonly string[], unknown, readonly number[]];
      const left = model.leave({ job, attempt, unit, token }, { muids, arrivals });
      if (left) return [{ intent: String(left.intent), withinMs: left.withinMs }];
      return isUnfenced ? [{ intent: '0', withinMs: 1000 }] : [];
    },
  ],
  [
    'UPDATE ferry.intent',
    (model, values) => {
      const [ids, arrived] = values as [readonly string[], readonly string[]];
      for (const [index, id] of ids.entries())
        model.tell(Number(id), JSON.parse(arrived[index]!) as Record<string, string>);
      return [];
    },
  ],
  [
    'ferry.take_slot(',
    (model, values) => {
      const [key, perMinute, spareMs] = values as [string, number | null, number];
      return [{ ms: model.takeSlot(key, perMinute ?? undefined, spareMs) }];
    },
  ],
  [
    'ferry.hold_slot(',
    (model, values) => {
      const [key, ms] = values as [string, number];
      return [{ ms: model.holdSlot(key, ms) }];
    },
  ],
  [
    'held_until > clock_timestamp()',
    (model, values) => {
      const [key] = values as [string];
      return [{ is: model.isHeld(key) }];
    },
  ],
];
