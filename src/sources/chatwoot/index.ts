import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { chatwootCodes } from './codes.ts';

/** Chatwoot, as `format.ts` says. Its database is read by `database` with mappings/databases/chatwoot.yaml. */
export const chatwoot = defineSource({
  name: 'chatwoot',
  title: 'Chatwoot (answers of its API)',
  options: noOptions,
  codes: chatwootCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['id', 'content', 'inbox_id', 'conversation_id', 'message_type', 'private'] }] },
  { objects: [{ at: '**', keys: ['id', 'content', 'message_type', 'private', 'content_attributes', 'content_type'] }] },
];
