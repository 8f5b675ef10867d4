import { displayWidth, oneLine, truncate } from '../../lib/plain-text.ts';
import { type Format, formatCount, formatDuration, formatShare, paint } from '../../report/render/format.ts';

/** What one line of progress shows. */
export interface LineState {
  readonly name: string;
  readonly done: number;
  readonly total: number | undefined;
  /** Per second; null while it is not known. */
  readonly rate: number | null;
  /** Null where it cannot be told. */
  readonly etaMs: number | null;
  /** Why nothing moves, and how long that still takes where it is known. */
  readonly waiting: { readonly reason: string; readonly ms: number | undefined } | undefined;
  readonly note: string | undefined;
}

/** A piece of a line and its colour. */
type Piece = readonly [text: string, format?: Format];

/** Columns of the name, so that the figures of several stages stand under each other. */
export const nameWidth = 10;

/** The line, most important first, cut to `columns`. While waiting, the reason stands in place of rate and time left. */
export function progressLine(state: LineState, columns: number, color: boolean): string {
  const pieces: Piece[] = [[oneLine(state.name).padEnd(nameWidth), 'bold'], [counted(state)]];
  if (state.waiting !== undefined) pieces.push([waitingText(state.waiting), 'yellow']);
  else pieces.push(...pace(state));
  if (state.note) pieces.push([oneLine(state.note), 'dim']);
  return cutToFit(pieces, columns, color);
}

function counted({ done, total }: LineState): string {
  if (total === undefined) return formatCount(done);
  return `${formatCount(done)} of ${formatCount(total)}  ${formatShare(done, total)}`;
}

function waitingText({ reason, ms }: NonNullable<LineState['waiting']>): string {
  return ms === undefined
    ? `waiting ${oneLine(reason)}`
    : `waiting ${formatDuration(wholeSeconds(ms))}: ${oneLine(reason)}`;
}

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
