import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { intercomCodes } from './codes.ts';
import { intercomOptionsSchema } from './options.ts';

/** Intercom, as `format.ts` says. */
export const intercom = defineSource({
  name: 'intercom',
  title: 'Intercom (conversations of its API)',
  options: intercomOptionsSchema,
  codes: intercomCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['type', 'id', 'source', 'conversation_parts'], values: { type: /^conversation$/ } }] },
  { objects: [{ at: '**', keys: ['type', 'id', 'conversation_message'], values: { type: /^conversation$/ } }] },
  {
    objects: [
      { at: '**', keys: ['type', 'id', 'source', 'contacts'], values: { type: /^conversation$/ } },
      { at: '**/source', keys: ['delivered_as', 'author'] },
    ],
  },
];
