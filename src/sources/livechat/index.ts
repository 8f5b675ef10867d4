import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { livechatCodes } from './codes.ts';

/** LiveChat, as `format.ts` says. */
export const livechat = defineSource({
  name: 'livechat',
  title: 'LiveChat (answers of its Agent Chat API)',
  options: noOptions,
  codes: livechatCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const eventKeys = ['id', 'created_at', 'type', 'author_id'];

const marks: readonly Marks[] = [
  {
    objects: [
      { at: '**/thread', keys: ['id', 'user_ids', 'active'] },
      { at: '**/thread/events/*', keys: eventKeys },
    ],
  },
  {
    objects: [
      { at: '/threads/*', keys: ['id', 'user_ids', 'active'] },
      { at: '/threads/*/events/*', keys: eventKeys },
    ],
  },
];
