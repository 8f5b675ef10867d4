import type { JobConfig } from './sync-file.ts';
import type { KeyPlaces } from '../config/api-key.ts';
import { isServerAddress } from '../io/input/server-input.ts';
import type { ExportLocation } from './config/export-location.ts';
import type { JobState } from './job-state.ts';
import { type CronSchedule, holdsMinute, type Hours, nextCronInstant } from './config/times.ts';
import { planningOf, sendChoices, targetOf } from '../commands/session.ts';
import type { Complete, ImportRequest } from '../commands/requests.ts';
import type { RunControls } from '../lib/flow/run-controls.ts';

/** Keys that a run adds to a job's request: clock, progress and when to stop. */
type RunKey = keyof RunControls | 'confirm' | 'importRate';
export type JobRequest = Omit<ImportRequest, RunKey | 'from'> & Required<Pick<ImportRequest, 'mapping'>>;

/** The request of one run; what it reads is decided later. */
export type RunRequest = Complete<JobRequest>;

export interface SyncControls extends RunControls {
  readonly state: JobState;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Job {
  readonly config: JobConfig;
  /** Reads mapping and key again, so correcting one of them requires no restart. @throws UsageError */
  request(): Promise<JobRequest>;
}

export const scheduleOf = ({
  config: { schedule, timeZone, jitter, hours },
}: {
  readonly config: JobConfig;
}): JobSchedule => ({ cron: schedule, timeZone, jitterMs: jitter, hours });

/** `chatferry-support.db` → `chatferry-support.downloads`. */
export const downloadsFolder = (store: string): string => `${store.replace(/\.db$/, '')}.downloads`;

/** Returns the folders whose content belongs to the export: neither a mapping nor a module is taken from them. */
function exportFolders(location: ExportLocation): readonly string[] {
  if ('path' in location) return location.path.filter((path) => !isServerAddress(path));
  return 'dropFolder' in location ? [location.dropFolder] : [];
}

/** Makes a job of the configuration; `keys` names where its keys are. */
export const jobFor = (keys: KeyPlaces, config: JobConfig): Job => ({
  config,
  async request() {
    const { options } = config;
    const { from: _, mapping, ...planning } = await planningOf(options, [], exportFolders(config.export));
    return {
      ...targetOf(options, options.to ?? 'sandbox', keys),
      ...planning,
      mapping: { ...mapping, media: config.media ?? mapping.media },
      ...sendChoices(options),
      env: keys.env,
    };
  },
});

export interface JobSchedule extends AllowedHours, Pick<CronSchedule, 'timeZone'> {
  /** Nothing where it only runs on request. */
  readonly cron: string | undefined;
  readonly jitterMs: number;
}

/** A longer delay is not due to this process being busy: the machine slept, or no process ran. */
const lateMinMs = 90_000;

/** The next run that the schedule names after an instant, moved by up to `jitterMs`. @param random In [0, 1). */
export function nextDue(schedule: JobSchedule, afterMs: number, random: () => number): number | undefined {
  const { cron, timeZone, jitterMs } = schedule;
  const at = cron === undefined ? undefined : nextCronInstant({ cron, timeZone }, afterMs);
  return at === undefined ? undefined : at + Math.floor(random() * jitterMs);
}

/** Whether a run is due later than any that the schedule names from now on: it was worked out while the clock was ahead. */
export function isBeyond(schedule: JobSchedule, dueMs: number | null, nowMs: number): boolean {
  const lastMs = nextDue(schedule, nowMs, () => 1);
  return dueMs !== null && lastMs !== undefined && dueMs > lastMs;
}

/** When a run that is due at some instant may begin, seen from now. */
export const mayBegin = (schedule: JobSchedule, dueMs: number, nowMs: number): number =>
  nextOpening(schedule, Math.max(dueMs, nowMs));

/** Whether a run that begins now was missed when it was due: outside its hours, or while no process ran. */
export const isMadeUp = (schedule: JobSchedule, dueMs: number, nowMs: number): boolean =>
  nowMs - dueMs > lateMinMs || !isOpen(schedule, dueMs);

/** Changes where what was planned under another schedule means nothing any more. */
export const scheduleKey = ({ cron, timeZone, jitterMs }: JobSchedule): string => `${cron} ${timeZone} ${jitterMs}`;

/** Slow by day, full by night. */
export interface RateTable {
  readonly rates: readonly { readonly hours: Hours; readonly rate: number }[];
  readonly timeZone: string;
}

/** Returns the import requests per minute at this instant; undefined if the table leaves it to the job's own rate. */
export function rateAt({ rates, timeZone }: RateTable, atMs: number): number | undefined {
  const minute = localMinute(timeZone, atMs);
  return rates.find(({ hours }) => holdsMinute(hours, minute))?.rate;
}

/** When a job may run. None means at any time. */
export interface AllowedHours {
  readonly hours: readonly Hours[];
  readonly timeZone: string;
}

const minuteMs = 60_000;
/** Two days and an hour: hours that lie in the hour which a clock skips are missing once a year. */
const searchMaxMs = 49 * 3_600_000;

/** Whether it may run at this instant, by the clock on the wall there. */
export function isOpen({ hours, timeZone }: AllowedHours, atMs: number): boolean {
  if (hours.length === 0) return true;
  const minute = localMinute(timeZone, atMs);
  return hours.some((part) => holdsMinute(part, minute));
}

/** @returns `atMs` itself while it is open. */
export const nextOpening = (allowed: AllowedHours, atMs: number): number => nextMinute(allowed, atMs, true) ?? atMs;

/** @returns Undefined if it is always open. */
export const nextClosing = (allowed: AllowedHours, atMs: number): number | undefined =>
  nextMinute(allowed, atMs, false);

/** Whatever a zone does to its clocks, this matches what a person sees on a clock: minute by minute. */
function nextMinute(allowed: AllowedHours, atMs: number, wanted: boolean): number | undefined {
  if (isOpen(allowed, atMs) === wanted) return atMs;
  if (allowed.hours.length === 0) return undefined;
  for (let hourMs = atMs - (atMs % minuteMs) + minuteMs; hourMs <= atMs + searchMaxMs; hourMs += 60 * minuteMs) {
    const minutes = minutesInHour(allowed.timeZone, hourMs);
    const index = minutes.findIndex((minute) => allowed.hours.some((part) => holdsMinute(part, minute)) === wanted);
    if (index !== -1) return hourMs + index * minuteMs;
  }
  return undefined;
}

/** The minutes since midnight of an hour that begins at an instant. A zone is asked for each only in an hour in which its clock is changed. */
function minutesInHour(timeZone: string, fromMs: number): number[] {
  const first = localMinute(timeZone, fromMs);
  const isEven = localMinute(timeZone, fromMs + 59 * minuteMs) === (first + 59) % 1440;
  return Array.from({ length: 60 }, (_, index) =>
    isEven ? (first + index) % 1440 : localMinute(timeZone, fromMs + index * minuteMs),
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Minutes since midnight. */
function localMinute(timeZone: string, atMs: number): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    formats.set(timeZone, format);
  }
  const [hour, minute] = format.format(atMs).split(':').map(Number);
  return hour! * 60 + minute!;
}
