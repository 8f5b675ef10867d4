import { defineSource } from '../source.ts';
import { signalCodes } from './codes.ts';
import { signalOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

/** Exports of Signal, its own and those of others, as `format.ts` says. */
export const signal = defineSource({
  name: 'signal',
  title: 'Signal (plain-text export, signal-export, sigtop)',
  isName: (id) => !/^(?:self|\+?\d+|[\da-f]{8}-[\da-f-]{27})$/i.test(id),
  options: signalOptionsSchema,
  codes: signalCodes,
  probe: lateProbe(/\.(?:md|txt|json|jsonl|ndjson)$/i, () => import('./probe.ts')),
  read: lateRead(() => import('./read.ts')),
});
