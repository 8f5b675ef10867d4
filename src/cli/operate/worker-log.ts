import type { WorkerListener } from '../../fleet/worker-options.ts';
import { countOf } from '../../lib/text/count.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { formatDuration } from '../../lib/text/quantity.ts';
import type { Host } from '../host.ts';
import { print } from '../terminal/print.ts';
import { embeddedFlag } from './fleet-place.ts';

/** Events that a worker reports about itself, and their listener. */
export interface WorkerLog {
  readonly listener: WorkerListener;
  started(facts: {
    readonly worker: string;
    readonly leases: number;
    readonly database: string;
    readonly files: string;
    readonly metrics: string | null;
    /** Absolute path of the folder of its PostgreSQL, if that is its own. */
    readonly embedded: string | null;
  }): void;
}

/** A line for every lease that begins and ends, with its time. */
export function lineLog(host: Host, isQuiet: boolean): WorkerLog {
  const say = (line: string) => (isQuiet ? undefined : print(host, `${logTime(host)} ${oneLine(line)}`));
  return {
    started({ worker, leases, database, files, metrics, embedded }) {
      const measured = metrics === null ? '' : `, metrics at ${metrics}`;
      say(`${worker}: ${countOf(leases, 'lease')} at a time, ${database}, copies at ${files}${measured}`);
      const flag = embedded === null ? '' : embeddedFlag(embedded);
      if (flag !== '') say(`For this fleet: chatferry submit${flag} EXPORT …, chatferry fleet status${flag}`);
    },
    listener: {
      leaseBegan: (unit, { number, isTakenOver }) =>
        say(`${unit}: lease ${number} begins${isTakenOver ? ', taken over from another worker' : ''}`),
      leaseEnded: (unit, { outcome, ms, state, reason }) =>
        say(
          `${unit}: ${endWords[outcome]} after ${formatDuration(ms)}${state === undefined ? '' : `, ${state}`}${reason ? `: ${reason}` : ''}`,
        ),
      database: (_, words) => say(words),
      lost: () => say('The database lost commits: its send records are not trusted, and open items are read back'),
      stopping: () => say('Stopping: leases that run are ended and copied, within half a minute'),
    },
  };
}

/** An object a line for each event. */
export function jsonLog(host: Host): WorkerLog {
  const say = (event: string, facts: object = {}) =>
    print(host, JSON.stringify({ at: new Date(host.clock.now()).toISOString(), event, ...facts }));
  return {
    started: (facts) => say('started', facts),
    listener: {
      leaseBegan: (unit, { number, isTakenOver }) => say('lease-began', { unit, lease: number, isTakenOver }),
      leaseEnded: (unit, { ms, ...end }) => say('lease-ended', { unit, ...end, ms: Math.round(ms) }),
      database: (isUp, words) => say(isUp ? 'database-up' : 'database-down', { words: oneLine(words) }),
      lost: () => say('commits-lost'),
      stopping: () => say('stopping'),
    },
  };
}

/** To the second: `2026-11-24T06:12:03Z`. */
export const logTime = ({ clock }: Host): string => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;

const endWords = {
  done: 'lease ended',
  failed: 'lease failed',
  lost: 'another worker has it by now',
  crashed: 'its process ended',
} as const;
