import { z } from 'zod';
import { oneLine } from '../../lib/plain-text.ts';
import type { Screen, ScreenOptions } from './progress-screen.ts';
import type { StageState } from './progress-stage.ts';
import type { QuietWriter } from './quiet-writer.ts';

const count = z.number().min(0);

const stageLine = z.strictObject({
  stage: z.string().describe('What is being done: Reading, Sending, Verifying …'),
  done: count.describe('Messages, or whatever the stage counts, so far'),
  total: count.nullable().describe('Of how many; null where that is not known'),
  ratePerSecond: count.nullable().describe('Over the last seconds; null until it is known'),
  etaMs: count
    .nullable()
    .describe(
      'Milliseconds until the end of the stage, by the forecast and by what was seen; null where it is not known',
    ),
  waiting: z
    .strictObject({
      reason: z.string(),
      ms: count.nullable().describe('Milliseconds that it still takes; null where it is not known'),
    })
    .nullable()
    .describe('Why nothing moves at this moment; null while something does'),
  note: z.string().nullable(),
  finished: z.boolean().describe('The last line of this stage'),
});

const messageLine = z.strictObject({ message: z.string().describe('What a person should know') });

/** A line of `--progress json`. Fields may be added, never taken away or given another meaning. */
export const progressLineSchema = z.union([stageLine, messageLine]);

type ProgressLine = z.input<typeof progressLineSchema>;

/** For programs: an object when a stage begins, at most one every `intervalMs`, one when it begins or ends to wait, and one at its end. */
export function jsonScreen(writer: QuietWriter, { clock, intervalMs = 1_000 }: ScreenOptions): Screen {
  const written = new Map<StageState, { atMs: number; wasWaiting: boolean }>();
  const write = (line: ProgressLine) => writer.write(`${JSON.stringify(line)}\n`);
  const tell = (stage: StageState) => {
    written.set(stage, { atMs: clock.monotonic(), wasWaiting: isWaiting(stage) });
    write(lineOf(stage, false));
  };
  return {
    add: tell,
    change(stage) {
      const last = written.get(stage);
      const isDue = !last || clock.monotonic() - last.atMs >= intervalMs;
      if (isDue || last.wasWaiting !== isWaiting(stage)) tell(stage);
    },
    remove(stage) {
      written.delete(stage);
      write(lineOf(stage, true));
    },
    write: (message) => write({ message: oneLine(message) }),
  };
}

const isWaiting = (stage: StageState): boolean => stage.now().waiting !== undefined;

function lineOf(stage: StageState, finished: boolean): ProgressLine {
  const { name, done, total = null, rate, etaMs, waiting, note } = stage.now();
  return {
    stage: oneLine(name),
    done,
    total,
    ratePerSecond: rate === null ? null : Math.round(rate * 100) / 100,
    etaMs: etaMs === null ? null : Math.round(etaMs),
    waiting: waiting
      ? { reason: oneLine(waiting.reason), ms: waiting.ms === undefined ? null : Math.round(waiting.ms) }
      : null,
    note: note === undefined ? null : oneLine(note),
    finished,
  };
}
