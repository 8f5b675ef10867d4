import { consecutiveIdsOption } from '../kit/rows/consecutive-ids.ts';
import { defineSource } from '../source.ts';
import { chatferryCodes } from './codes.ts';
import { chatferryOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

/** Records of our own model, a line each: what any program can write, and what `chatferry convert` makes of an export. */
export const chatferry = defineSource({
  name: 'chatferry',
  title: 'Chatferry records (NDJSON files)',
  sortKeys: 'where-given',
  carriesOthers: true,
  options: chatferryOptionsSchema,
  codes: chatferryCodes,
  consecutiveIds: consecutiveIdsOption,
  probe: lateProbe(/\.(?:ndjson|jsonl)$/i, () => import('./probe.ts')),
  read: lateRead(() => import('./read.ts')),
});
