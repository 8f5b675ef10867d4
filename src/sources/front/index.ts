import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { frontCodes } from './codes.ts';
import { frontOptionsSchema } from './options.ts';

/** Front, as `format.ts` says. */
export const front = defineSource({
  name: 'front',
  title: 'Front (answers of its API)',
  options: frontOptionsSchema,
  codes: frontCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['id', 'type', 'is_inbound', 'recipients', 'created_at'] }] },
  { objects: [{ at: '**', keys: ['id', 'posted_at', 'author', 'body'], values: { id: /^(?:cmt|com)_/ } }] },
  { objects: [{ at: '**', keys: ['id', 'subject', 'status', 'recipient', 'assignee'], values: { id: /^cnv_/ } }] },
];
