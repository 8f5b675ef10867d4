import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { gorgiasCodes } from './codes.ts';

/** Saved answers of Gorgias, as `format.ts` says. */
export const gorgias = defineSource({
  name: 'gorgias',
  title: 'Gorgias (saved answers of the REST API, JSON)',
  options: noOptions,
  codes: gorgiasCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['id', 'ticket_id', 'from_agent', 'channel', 'sender'] }] },
  { objects: [{ at: '**', keys: ['id', 'from_agent', 'assignee_user', 'customer', 'channel'] }] },
];
