import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { zendeskCodes } from './codes.ts';

/** Zendesk, as `format.ts` says. */
export const zendesk = defineSource({
  name: 'zendesk',
  title: 'Zendesk (Support and Chat)',
  options: noOptions,
  codes: zendeskCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['id', 'author_id', 'html_body', 'public', 'created_at'] }] },
  { objects: [{ at: '**', keys: ['id', 'author_id', 'audit_id', 'public', 'created_at'] }] },
  {
    objects: [
      { at: '**', keys: ['id', 'visitor', 'session', 'type'], values: { type: /^(?:chat|offline_msg)$/ } },
      { at: '**/visitor', keys: ['id', 'name'] },
    ],
  },
  {
    objects: [
      { at: '**', keys: ['id', 'visitor', 'history'] },
      { at: '**/history/*', keys: ['type', 'timestamp'], values: { type: /^chat\./ } },
    ],
  },
];
