import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { freshchatCodes } from './codes.ts';

/** Saved answers of Freshchat, as `format.ts` says. */
export const freshchat = defineSource({
  name: 'freshchat',
  title: 'Freshchat (answers of its API)',
  options: noOptions,
  codes: freshchatCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['id', 'message_parts', 'actor_type', 'message_type', 'created_time'] }] },
  { objects: [{ at: '**', keys: ['id', 'message_parts', 'actor_type', 'actor_id', 'conversation_id'] }] },
];
