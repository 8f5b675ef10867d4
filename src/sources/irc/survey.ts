import type { ExportInput } from '../../io/input/export-input.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { withoutClutter } from '../kit/files/paths.ts';
import { anyDialect, type Fit, fittingDialects, triedLines } from './choose.ts';
import { type Dialect, readLine } from './format.ts';
import { LogLines } from './log-lines.ts';
import { fold, isChannelName, readLogName, type NamedLog } from './logs.ts';
import type { IrcOptions } from './options.ts';
import { readDay } from './stamps.ts';

/** A log file: how it is written, whose it is, and the day that its name says. */
export interface Log {
  readonly path: string;
  /** Its number among the logs. */
  readonly file: number;
  readonly dialect: Dialect;
  readonly isCertain: boolean;
  readonly network: string;
  readonly conversation: ConversationRecord;
  readonly dayMs: number | undefined;
  readonly zone: string | undefined;
  /** Nothing says the network, and another file has the same channel at the same time: they are kept apart. */
  readonly isApart: boolean;
}

/** A log while others of its conversation are looked at. */
interface Found extends NamedLog {
  readonly path: string;
  /** The best ones. */
  readonly fits: readonly Fit[];
}

export interface Survey {
  readonly logs: ReadonlyMap<string, Log>;
  readonly skipped: ReadonlyMap<string, string>;
}

const headBytes = 128 * 1024;
/** Kept of each file: there may be hundreds of thousands. */
const fitsMax = 4;

/**
 * Returns the facts from the names and the beginnings of all files.
 *
 * @param paths Default: all of the input.
 */
export async function surveyLogs(input: ExportInput, options: IrcOptions, paths?: readonly string[]): Promise<Survey> {
  const skipped = new Map<string, string>();
  const groups = new Map<string, Found[]>();
  for (const path of withoutClutter(paths ?? (await input.paths())).own) {
    const named = readLogName(path);
    if (named && 'skip' in named) skipped.set(path, named.skip);
    if (!named || 'skip' in named) continue;
    const found = await surveyFile(input, path, named, options);
    if (!found) continue;
    const key = idOf(found);
    if (!groups.get(key)?.push(found)) groups.set(key, [found]);
  }
  const logs: Omit<Log, 'file'>[] = [];
  for (const group of groups.values()) logs.push(...(await chooseDialects(input, group, options)));
  const inOrder = logs.sort((a, b) => (a.path < b.path ? -1 : 1)).map((log, file) => ({ ...log, file }));
  return { logs: new Map(inOrder.map((log) => [log.path, log])), skipped };
}

/** @returns undefined for what is no log, neither by its name nor by its lines. */
async function surveyFile(
  input: ExportInput,
  path: string,
  named: NamedLog,
  options: IrcOptions,
): Promise<Found | undefined> {
  const lines = await firstLines(input, path);
  const fits = fittingDialects(path, lines);
  const best = fits[0];
  const isLog = named.isNamedLikeLog || (best !== undefined && best.messages > 0 && best.fits > best.others);
  if (!isLog) return undefined;
  const header = headerIn(best?.dialect ?? anyDialect, lines.join('\n'));
  const window = header.channel !== undefined && !isChannelName(named.window) ? header.channel : named.window;
  const network = named.network || fold(header.network ?? options.network);
  const dayMs = named.dayMs ?? (header.day === undefined ? undefined : readDay(header.day));
  return { ...named, path, window, network, dayMs, fits: fits.slice(0, fitsMax) };
}

/** Returns the first lines of a file. They are read again when needed, because together they may exceed memory. */
async function firstLines(input: ExportInput, path: string): Promise<readonly string[]> {
  const bytes = await headOrNothing(input, path, headBytes);
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  const lines = text.split(/\r?\n/).slice(0, triedLines);
  // The last one may be cut.
  if (lines.length > 1) lines.pop();
  return lines;
}

/** Returns the header fields at the beginning of a file. */
function headerIn({ headers = [] }: Dialect, text: string): Readonly<Record<string, string | undefined>> {
  return Object.assign({}, ...headers.map((header) => header.exec(text)?.groups)) as Record<string, string | undefined>;
}

const idOf = ({ network, window }: Pick<Found, 'network' | 'window'>): string =>
  network === '' ? fold(window) : `${network}/${fold(window)}`;

/** The files of one conversation: a file that fits several dialects is of the one that the others are of. */
async function chooseDialects(
  input: ExportInput,
  group: readonly Found[],
  options: IrcOptions,
): Promise<readonly Omit<Log, 'file'>[]> {
  const totals = new Map<Dialect, { fits: number; events: number }>();
  for (const { dialect, fits, events } of group.flatMap((found) => found.fits)) {
    const total = totals.get(dialect) ?? { fits: 0, events: 0 };
    totals.set(dialect, { fits: total.fits + fits, events: total.events + events });
  }
  const chosen = group.map(({ fits }) => {
    const best = fits.filter((fit) => fit.fits === fits[0]!.fits && fit.fits > 0);
    const total = ({ dialect }: Fit) => totals.get(dialect)!;
    return best.sort((a, b) => total(b).fits - total(a).fits || total(b).events - total(a).events)[0];
  });
  const dialects = chosen.map((fit) => fit?.dialect ?? anyDialect);
  const isChannel = await isChannelOf(input, group, dialects);
  const isApart = group.length > 1 && group[0]!.network === '' && (await haveNothingInCommon(input, group, dialects));
  return group.map((found, index) => {
    const { path, dayMs, zone } = found;
    const network = isApart ? fold(path) : found.network;
    const dialect = dialects[index]!;
    const log = { path, dialect, dayMs, network, isApart };
    return {
      ...log,
      isCertain: chosen[index]?.isCertain ?? false,
      zone: options.zone ?? zone ?? dialect.zone,
      conversation: describeConversation({ ...found, network }, isChannel, options),
    };
  });
}

function describeConversation(
  { network, window }: Pick<Found, 'network' | 'window'>,
  isChannel: boolean,
  { nick }: IrcOptions,
): ConversationRecord {
  return {
    kind: 'conversation',
    id: idOf({ network, window }),
    // A log does not say whether everybody could come in: what was not public must not become it.
    type: isChannel ? 'private' : 'direct',
    name: isChannel ? window : '',
    members: isChannel || nick === '' ? [] : [fold(nick), fold(window)],
  };
}

/** A name without `#` is that of the other person, unless several people write and none of them has this name. */
async function isChannelOf(
  input: ExportInput,
  group: readonly Found[],
  dialects: readonly Dialect[],
): Promise<boolean> {
  const { window } = group[0]!;
  if (isChannelName(window)) return true;
  const speakers = new Set<string>();
  for (const [index, { path }] of group.entries()) {
    for (const text of await firstLines(input, path)) {
      const line = readLine(dialects[index]!, text);
      if (line?.kind === 'said' && line.said.kind !== 'event' && line.said.nick) speakers.add(fold(line.said.nick));
    }
  }
  return speakers.size > 1 && !speakers.has(fold(window));
}

/** Two files that were written at the same time, and no line is in both: they may be of two networks. */
async function haveNothingInCommon(
  input: ExportInput,
  group: readonly Found[],
  dialects: readonly Dialect[],
): Promise<boolean> {
  const spans: (Span & { readonly path: string })[] = [];
  for (const [index, found] of group.entries())
    spans.push({ path: found.path, ...findSpan(await firstLines(input, found.path), found.dayMs, dialects[index]!) });
  spans.sort((a, b) => a.from - b.from);
  const overlapping = spans.filter(
    ({ from, to }, index) => from <= (spans[index - 1]?.to ?? -Infinity) || to >= (spans[index + 1]?.from ?? Infinity),
  );
  if (overlapping.length === 0) return false;
  const seen = new Set<string>();
  for (const { path } of overlapping) {
    const lines = (await firstLines(input, path)).map((line) => line.trim());
    const own = new Set(lines.filter((line) => /^\[?\d/.test(line)));
    for (const line of own) if (seen.has(line)) return false;
    for (const line of own) seen.add(line);
  }
  return true;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function findSpan(lines: readonly string[], dayMs: number | undefined, dialect: Dialect): Span {
  const log = new LogLines(dialect, { dayMs, zone: undefined });
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const line of lines) {
    const row = log.next(line);
    if (row.kind !== 'said') continue;
    from = Math.min(from, row.instant.atMs);
    to = Math.max(to, row.instant.atMs);
  }
  return { from, to };
}
