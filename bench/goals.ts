import type { Figures } from './round.ts';
import { formatTable } from './table.ts';

/** Targets, as shares of the floor of the same round: a slow day of the machine gives the same result as a fast one. */
interface Goal {
  readonly what: string;
  readonly wanted: string;
  /** Value of one round; undefined if it was not measured. */
  readonly of: (round: Round) => number | undefined;
  readonly shown: (value: number) => string;
}

/** The figures of one round, by name and number of messages. */
type Round = (name: string, messageCount?: 'small' | 'large') => Figures | undefined;

const floors = (value: number) => `${value.toFixed(2)}x`;
const rate = ({ messageCount, wallMs }: Figures) => messageCount / wallMs;

const share = (name: string, of: (figures: Figures) => number) => (round: Round) => {
  const [measured, floor] = [round(name), round('floor')];
  return measured && floor ? of(measured) / of(floor) : undefined;
};

const growth = (name: string) => (round: Round) => {
  const [small, large] = [round(name), round(name, 'large')];
  return small && large ? large.peakRssBytes / small.peakRssBytes : undefined;
};

const goals: readonly Goal[] = [
  {
    what: 'plan, CPU in floors',
    wanted: '1.5x',
    of: share('plan', ({ cpuMs }) => cpuMs),
    shown: floors,
  },
  { what: "plan, of the floor's rate", wanted: '0.45x', of: share('plan', rate), shown: floors },
  {
    what: 'import of a planned store, of the floor',
    wanted: '0.35x',
    of: share('import, planned before', rate),
    shown: floors,
  },
  {
    what: 'nothing to do, 63,000 files',
    wanted: '0.5 s',
    of: (round) => round('import again, nothing changed')?.wallMs,
    shown: (value) => `${(value / 1000).toFixed(2)} s`,
  },
  {
    what: 'peak memory of a plan',
    wanted: '200 MB',
    of: (round) => round('plan')?.peakRssBytes,
    shown: (value) => `${Math.round(value / 1e6)} MB`,
  },
  { what: '  at four times the messages', wanted: '1.05x', of: growth('plan'), shown: floors },
  {
    what: 'peak memory of an import',
    wanted: '200 MB',
    of: (round) => round('import, planned before')?.peakRssBytes,
    shown: (value) => `${Math.round(value / 1e6)} MB`,
  },
  { what: '  at four times the messages', wanted: '1.05x', of: growth('import, planned before'), shown: floors },
];

/** Each goal, what was reached as the median of all rounds, and what is wanted. */
export function goalsTable(rounds: readonly (readonly Figures[])[]): string {
  const smallCount = rounds[0]![0]!.messageCount;
  const rows = goals.map(({ what, wanted, of, shown }) => {
    const values = rounds.map((figures) => of(roundOf(figures, smallCount))).filter((value) => value !== undefined);
    const median = values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
    return [what, median === undefined ? '' : shown(median), wanted];
  });
  return formatTable(['goal', 'reached', 'wanted'], rows);
}

const roundOf =
  (figures: readonly Figures[], smallCount: number): Round =>
  (name, size = 'small') =>
    figures.find((one) => one.name === name && one.messageCount > 2 * smallCount === (size === 'large'));
