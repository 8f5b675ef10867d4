import type { Broken } from './broken.ts';
import { Dice } from './dice.ts';
import { poisonRules } from './fault-rules.ts';
import { judge } from './judge.ts';
import type { Ledger } from './ledger.ts';
import { Migration } from './migration.ts';
import type { Schedule } from './schedule.ts';
import { type Template, templateOf } from './template.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface ScheduleRun {
  readonly schedule: Schedule;
  /** Seed of everything that the schedule leaves to chance: latencies, backoffs, how much of an answer arrives. */
  readonly seed: number;
  /** Called for each event, with one line and the virtual time. */
  readonly log?: ((line: string) => void) | undefined;
  /** For tests: a protocol with a piece missing. */
  readonly broken?: Broken | undefined;
}

/** Three months after the exports' messages: no service calls them too old. */
const startMs = Date.parse('2024-06-01T12:00:00Z');

/** One migration, from the plan to the last receipt, and result. */
export async function runSchedule(run: ScheduleRun): Promise<Omit<Ledger, 'seed' | 'scenario'>> {
  const { schedule, seed, log = () => {}, broken } = run;
  const world = new VirtualClock(startMs);
  const template = await templateOf(schedule, world);
  log(JSON.stringify(schedule));
  const { poisoned, rules } = poisonOf(schedule, template, new Dice(seed ^ 0x9015));
  const plan = { ...schedule.plan, rules: [...rules, ...(schedule.plan.rules ?? [])] };
  const migration = new Migration({ schedule: { ...schedule, plan }, seed, template, world, log, broken });
  try {
    const isDone = await migration.run();
    return await judge(migration, template, isDone, { ...schedule, poisoned });
  } finally {
    await migration.close();
  }
}

/** Which messages the service cannot bear, by their ids in the export, and how it shows that. */
function poisonOf({ poisonShare, poison }: Schedule, { muids }: Template, dice: Dice) {
  if (poisonShare === 0) return { poisoned: undefined, rules: [] };
  const all = [...muids.keys()];
  const some = all.filter(() => dice.chance(poisonShare));
  const poisoned = new Set(some.length > 0 ? some : [dice.pick(all)]);
  return {
    poisoned,
    rules: poisonRules(
      dice,
      [...poisoned].map((id) => muids.get(id)!),
      poison,
    ),
  };
}
