import type { Clock } from '../../lib/flow/clock.ts';
import type { JobRunName, StageOptions, StageUpdate } from '../../lib/flow/progress.ts';
import { displayWidth, oneLine, truncate } from '../../lib/text/plain-text.ts';
import { smoothedRate } from '../../lib/flow/smoothed-rate.ts';
import { formatDuration } from '../../lib/text/quantity.ts';
import { type Format, formatCount, formatShare, paint } from '../../report/format.ts';

/** A stage between its begin and its end: the last update, and the lines it can be shown as. */
export interface StageState {
  set(update: StageUpdate): void;
  now(): LineState;
  /** Cut to `columns`; whole if none are given. */
  line(columns?: number): string;
  openingLine(): string;
  closingLine(summary: string | undefined): string;
}

interface Style {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly color: boolean;
}

export function createStage(
  name: string,
  { total: firstTotal, of }: StageOptions,
  { clock, color }: Style,
): StageState {
  const startedMs = clock.monotonic();
  const measured = smoothedRate();
  let updatedMs = startedMs;
  let update: StageUpdate = { done: 0 };
  let total = firstTotal;
  const title = paint('bold', formatTitle({ name, of }), { color });
  const now = (): LineState => {
    const nowMs = clock.monotonic();
    const rate = update.rate ?? measured.perSecond(nowMs);
    return { name, of, ...currentState(update, total, rate, nowMs - updatedMs) };
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

/** Returns the state that a line shows; waits and times left run on after the update. */
function currentState(update: StageUpdate, total: number | undefined, rate: number | null, sinceUpdateMs: number) {
  const { done, failed = 0, waiting, waitMs, note } = update;
  const leftMs = waitMs === undefined ? undefined : Math.max(0, waitMs - sinceUpdateMs);
  const state: Omit<LineState, 'name' | 'of'> = {
    done,
    total,
    failed,
    rate,
    etaMs: estimateEtaMs(update, total, rate, sinceUpdateMs),
    // A wait that is over: what comes next has not said a word yet.
    waiting: waiting === undefined || leftMs === 0 ? undefined : { reason: waiting, ms: leftMs },
    note,
  };
  return state;
}

function estimateEtaMs(update: StageUpdate, total: number | undefined, rate: number | null, sinceUpdateMs: number) {
  if (update.etaMs !== undefined) return Math.max(0, update.etaMs - sinceUpdateMs);
  if (total === undefined || rate === null || rate <= 0) return null;
  return (Math.max(0, total - update.done) * 1_000) / rate;
}

export interface LineState {
  readonly name: string;
  readonly of: JobRunName | undefined;
  readonly done: number;
  readonly total: number | undefined;
  readonly failed: number;
  /** Per second; null while it is not known. */
  readonly rate: number | null;
  readonly etaMs: number | null;
  /** Why nothing moves, and how much longer, if that is known. */
  readonly waiting: { readonly reason: string; readonly ms: number | undefined } | undefined;
  readonly note: string | undefined;
}

type Piece = readonly [text: string, format?: Format];

/** Columns of the name, so that the figures of several stages are aligned. */
const nameWidth = 10;

/** `Sending`, or `support: Sending`. */
const formatTitle = ({ name, of }: Pick<LineState, 'name' | 'of'>): string =>
  oneLine(of === undefined ? name : `${of.job}: ${name}`).padEnd(nameWidth);

/** Returns the line, most important first, cut to `columns`. While waiting, the reason replaces rate and time left. */
function progressLine(state: LineState, columns: number, color: boolean): string {
  const pieces: Piece[] = [[formatTitle(state), 'bold'], [counted(state)]];
  if (state.failed > 0) pieces.push([`${formatCount(state.failed)} failed`, 'yellow']);
  if (state.waiting !== undefined) pieces.push([waitingText(state.waiting), 'yellow']);
  else pieces.push(...pace(state));
  if (state.note) pieces.push([oneLine(state.note), 'dim']);
  return cutToFit(pieces, columns, color);
}

function counted({ done, total }: LineState): string {
  if (total === undefined) return formatCount(done);
  return `${formatCount(done)} of ${formatCount(total)}  ${formatShare(done, total)}`;
}

const waitingText = ({ reason, ms }: NonNullable<LineState['waiting']>): string =>
  ms === undefined ? `waiting ${oneLine(reason)}` : `waiting ${formatDuration(wholeSeconds(ms))}: ${oneLine(reason)}`;

function pace({ rate, etaMs }: LineState): readonly Piece[] {
  const pieces: Piece[] = [];
  if (rate !== null && rate > 0) pieces.push([formatRate(rate)]);
  if (etaMs !== null) pieces.push([`${formatDuration(wholeSeconds(etaMs))} left`]);
  return pieces;
}

/** `8,200/s`, `4.2/s`, `48/min`. */
function formatRate(perSecond: number): string {
  if (perSecond >= 10) return `${formatCount(perSecond)}/s`;
  return perSecond >= 1 ? `${perSecond.toFixed(1)}/s` : `${formatCount(perSecond * 60)}/min`;
}

/** Tenths that change with every redrawing only make a line restless. */
const wholeSeconds = (ms: number): number => Math.ceil(ms / 1_000) * 1_000;

function cutToFit(pieces: readonly Piece[], columns: number, color: boolean): string {
  let line = '';
  let room = columns;
  for (const [text, format] of pieces) {
    const gap = line === '' ? '' : '  ';
    if (room <= gap.length) break;
    const cut = truncate(text, room - gap.length);
    line += gap + (format === undefined ? cut : paint(format, cut, { color }));
    room -= gap.length + displayWidth(cut);
  }
  return line;
}
