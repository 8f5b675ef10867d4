/** One part in a process of its own: `node test/chaos/job.ts PART SEED SHARE HALF`, started by main.ts, which reads the messages. */
import { type PartName, parts } from './parts.ts';

/** A message from a job. */
export type JobMessage =
  | { readonly progress: string }
  | ({ readonly done: true } & Awaited<ReturnType<(typeof parts)[PartName]>>);

const [part, seed, share, half] = process.argv.slice(2);
const send = (message: JobMessage) => process.send?.(message);
const done = await parts[part as PartName]({
  seed: Number(seed),
  share: Number(share),
  half: half === '1' ? 1 : 0,
  onProgress: (progress) => send({ progress }),
});
send({ done: true, ...done });
process.disconnect?.();
