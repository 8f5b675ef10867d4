import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { hubspotCodes } from './codes.ts';

/** HubSpot, as `format.ts` says. */
export const hubspot = defineSource({
  name: 'hubspot',
  title: 'HubSpot (answers of its Conversations API)',
  options: noOptions,
  codes: hubspotCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['id', 'conversationsThreadId', 'createdAt', 'createdBy', 'type'] }] },
];
