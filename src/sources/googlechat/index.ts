import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { googlechatCodes } from './codes.ts';

/** Google Chat as Google Takeout has it, as `format.ts` says. */
export const googlechat = defineSource({
  name: 'googlechat',
  title: 'Google Chat and Hangouts (Google Takeout)',
  options: noOptions,
  codes: googlechatCodes,
  probe: (input) => probeMarks(input, [...marks, ...ofHangouts]),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { files: /(?:^|\/)Google Chat\/Groups\/[^/]+\/(?:messages|group_info)\.json$/i, shows: 'the folders of Takeout' },
  ...['', '/messages/*'].flatMap((at): Marks[] => [
    {
      objects: [
        { at, keys: ['topic_id', 'message_id', 'creator'] },
        { at: `${at}/creator`, keys: ['user_type'] },
      ],
    },
    { objects: [{ at, keys: ['topic_id', 'message_id', 'message_state'], values: { message_state: /^DELETED$/ } }] },
  ]),
];

const ofHangouts: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['event_id', 'sender_id', 'timestamp', 'chat_message'] }] },
  { objects: [{ at: '**', keys: ['participant_data', 'self_conversation_state'] }] },
];
