import { type CronSchedule, nextCronInstant } from './config/cron.ts';
import { type AllowedHours, isOpen, nextOpening } from './hours.ts';

/** When a job runs. */
export interface JobSchedule extends AllowedHours, Pick<CronSchedule, 'timeZone'> {
  /** Nothing where it only runs on request. */
  readonly cron: string | undefined;
  readonly jitterMs: number;
}

/** Later than this it was not we who were busy: the machine slept, or nobody ran. */
const lateMinMs = 90_000;

/**
 * The next run that the schedule names after an instant, moved by up to `jitterMs`.
 *
 * @param random In [0, 1).
 */
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

/** Whether a run that begins now was missed when it was due: outside its hours, or while nobody was there. */
export const isMadeUp = (schedule: JobSchedule, dueMs: number, nowMs: number): boolean =>
  nowMs - dueMs > lateMinMs || !isOpen(schedule, dueMs);

/** Changes where what was planned under another schedule means nothing any more. */
export const scheduleKey = ({ cron, timeZone, jitterMs }: JobSchedule): string => `${cron} ${timeZone} ${jitterMs}`;
