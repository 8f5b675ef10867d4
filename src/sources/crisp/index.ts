import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { crispCodes } from './codes.ts';

/** Saved answers of Crisp, as `format.ts` says. */
export const crisp = defineSource({
  name: 'crisp',
  title: 'Crisp (answers of its REST API)',
  options: noOptions,
  codes: crispCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['session_id', 'website_id', 'fingerprint', 'from', 'type', 'timestamp'] }] },
  { objects: [{ at: '**', keys: ['session_id', 'website_id', 'state', 'meta', 'created_at'] }] },
];
