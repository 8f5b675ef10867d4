import type { BlockingCheck } from '../check.ts';

const dayMs = 86_400_000;
/** The first second of 1971: anything before is a unit that was taken for another, or a time that was not there. */
const earliestMs = 365 * dayMs;

export const timeOutOfRange: BlockingCheck = {
  code: 'time-out-of-range',
  severity: 'blocks',
  title: 'Impossible times',
  explanation:
    'The time of the message lies before 1971 or more than a day in the future: usually seconds taken for milliseconds.',
  remedy: 'Check the time format of the source.',
  find({ sentAtMs, nowMs }) {
    if (sentAtMs >= earliestMs && sentAtMs <= nowMs + dayMs) return undefined;
    const time = Math.abs(sentAtMs) <= 8.64e15 ? new Date(sentAtMs).toISOString() : `${sentAtMs} ms`;
    return `sent at ${time}`;
  },
};
