import type { Clock } from '../../lib/clock.ts';
import { oneLine } from '../../lib/plain-text.ts';
import { smoothedRate } from '../../lib/smoothed-rate.ts';
import { type LineState, nameWidth, progressLine } from './progress-line.ts';
import { formatCount, formatDuration, paint } from '../../report/render/format.ts';

/** What is known now; what is left out is not known, or not the case any more. */
export interface StageUpdate {
  readonly done: number;
  /** Replaces the total from here on. */
  readonly total?: number;
  /** Per second. Default: measured over the last five seconds. */
  readonly rate?: number;
  /** Default: what is left divided by the rate. */
  readonly etaMs?: number;
  /** Why nothing is moving, as it follows the word "waiting": `34 s: the service asks us to (429)`. */
  readonly waiting?: string;
  /** How long the wait still takes, in ms. Then it is counted down before `waiting`, which gives the reason alone. */
  readonly waitMs?: number;
  readonly note?: string;
}

/** A stage between its begin and its end: the last update, and the lines it can be shown as. */
export interface StageState {
  set(update: StageUpdate): void;
  now(): LineState;
  /** Cut to `columns`; whole if none are given. */
  line(columns?: number): string;
  openingLine(): string;
  closingLine(summary: string | undefined): string;
}

interface StageOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly color: boolean;
}

export function createStage(name: string, firstTotal: number | undefined, options: StageOptions): StageState {
  const { clock, color } = options;
  const startedMs = clock.monotonic();
  const measured = smoothedRate();
  let updatedMs = startedMs;
  let update: StageUpdate = { done: 0 };
  let total = firstTotal;
  const title = paint('bold', oneLine(name).padEnd(nameWidth), { color });
  const now = (): LineState => {
    const nowMs = clock.monotonic();
    const rate = update.rate ?? measured.perSecond(nowMs);
    return { name, ...stateOf(update, total, rate, nowMs - updatedMs) };
  };
  return {
    set(next) {
      updatedMs = clock.monotonic();
      update = next;
      total = next.total ?? total;
      measured.add(updatedMs, next.done);
    },
    now,
    line: (columns = Number.POSITIVE_INFINITY) => progressLine(now(), columns, color),
    openingLine: () => `${title}  started${total === undefined ? '' : `, ${formatCount(total)} to do`}`,
    closingLine(summary) {
      const text = summary ?? `${formatCount(update.done)} in ${formatDuration(clock.monotonic() - startedMs)}`;
      return `${title}  ${oneLine(text)}`;
    },
  };
}

/** What a line shows; waits and times left run on after the update. */
function stateOf(update: StageUpdate, total: number | undefined, rate: number | null, sinceUpdateMs: number) {
  const { done, waiting, waitMs, note } = update;
  const leftMs = waitMs === undefined ? undefined : Math.max(0, waitMs - sinceUpdateMs);
  const state: Omit<LineState, 'name'> = {
    done,
    total,
    rate,
    etaMs: etaOf(update, total, rate, sinceUpdateMs),
    // A wait that is over: what comes next has not said a word yet.
    waiting: waiting === undefined || leftMs === 0 ? undefined : { reason: waiting, ms: leftMs },
    note,
  };
  return state;
}

function etaOf(update: StageUpdate, total: number | undefined, rate: number | null, sinceUpdateMs: number) {
  if (update.etaMs !== undefined) return Math.max(0, update.etaMs - sinceUpdateMs);
  if (total === undefined || rate === null || rate <= 0) return null;
  return (Math.max(0, total - update.done) * 1_000) / rate;
}
