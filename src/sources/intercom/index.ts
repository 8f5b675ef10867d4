import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { intercomCodes } from './codes.ts';
import { intercomOptionsSchema } from './options.ts';

/** Intercom, as `format.ts` says. */
export const intercom = defineSource({
  name: 'intercom',
  title: 'Intercom (conversations of its API)',
  what: 'Intercom: conversations with their parts, contacts and admins, as answers of the REST API: an object a file, lists, or JSON lines',
  notes: 'private notes, the first message, ids of contacts',
  sortKeys: 'always',
  options: intercomOptionsSchema,
  codes: intercomCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['type', 'id', 'source', 'conversation_parts'], values: { type: /^conversation$/ } }] },
  {
    objects: [
      { at: '**', keys: ['type', 'id', 'source', 'contacts'], values: { type: /^conversation$/ } },
      { at: '**/source', keys: ['delivered_as', 'author'] },
    ],
  },
];
