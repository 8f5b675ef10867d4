import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { helpscoutCodes } from './codes.ts';

/** Help Scout, as `format.ts` says. */
export const helpscout = defineSource({
  name: 'helpscout',
  title: 'Help Scout (answers of its API)',
  options: noOptions,
  codes: helpscoutCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['id', 'folderId', 'mailboxId', 'primaryCustomer', 'subject'] }] },
  {
    objects: [
      {
        at: '**/threads/*',
        keys: ['id', 'type', 'state', 'createdBy', 'source'],
        values: { type: /^(?:customer|message|reply|chat|beaconchat|note|phone|forwardparent|forwardchild|lineitem)$/ },
      },
    ],
  },
  { objects: [{ at: '', keys: ['id', 'type', 'state', 'createdBy', 'savedReplyId', 'customer'] }] },
];
