import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { streamCodes } from './codes.ts';
import { streamOptionsSchema } from './options.ts';

/** Stream Chat, as `format.ts` says. */
export const stream = defineSource({
  name: 'stream',
  title: 'Stream Chat (import files, exports of channels)',
  options: streamOptionsSchema,
  codes: streamCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const types = /^(?:channel|channel_member|member|message)$/;

const marks: readonly Marks[] = [
  ...['item', 'data'].flatMap((key): Marks[] => [
    ...[['channel_type'], ['created_by', 'type'], ['channel_id', 'user']].map((keys) => ({
      objects: [
        { at: '', keys: ['type', key], values: { type: types } },
        { at: `/${key}`, keys },
      ],
    })),
    {
      objects: [
        { at: '', keys: ['type', key], values: { type: /^user$/ } },
        { at: `/${key}`, keys: ['id', 'role'] },
      ],
    },
  ]),
  {
    objects: [
      { at: '**/channel', keys: ['id', 'type', 'cid'] },
      { at: '**/messages/*', keys: ['id', 'text', 'user', 'type'] },
    ],
  },
  {
    objects: [
      { at: '/message', keys: ['id', 'cid', 'text', 'user'] },
      { at: '/message/user', keys: ['id'] },
    ],
  },
  {
    objects: [
      { at: '', keys: ['id', 'cid', 'text', 'user', 'created_at'] },
      { at: '/user', keys: ['id'] },
    ],
  },
];
