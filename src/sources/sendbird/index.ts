import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { sendbirdCodes } from './codes.ts';
import { headOfMessages } from './columns.ts';
import { sendbirdOptionsSchema } from './options.ts';

/** Data exports of Sendbird, as `format.ts` says. */
export const sendbird = defineSource({
  name: 'sendbird',
  title: 'Sendbird data exports (JSON, CSV; ZIP or folder), and answers of its API',
  options: sendbirdOptionsSchema,
  codes: sendbirdCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  {
    objects: [
      {
        at: '**',
        keys: ['message_id', 'type', 'created_at', 'message'],
        values: { type: /^(?:MESG|FILE|ADMM|BRDM)$/ },
      },
    ],
  },
  { objects: [{ at: '**', keys: ['channel_url', 'custom_type', 'cover_url'] }] },
  {
    objects: [
      { at: '', keys: ['active_users'] },
      { at: '/active_users/*', keys: ['user_id', 'nickname', 'profile_url'] },
    ],
  },
  {
    objects: [
      { at: '', keys: ['deactivated_users'] },
      { at: '/deactivated_users/*', keys: ['user_id', 'nickname', 'profile_url'] },
    ],
  },
  {
    files: /\.csv$/i,
    text: [
      headOfMessages,
      /^[^\n]{0,3000}\bmessage_id\b/,
      /^[^\n]{0,3000}\bchannel_url\b/,
      // Tables that other services make of their Sendbird, such as Reddit, have names in its place.
      /^[^\n]{0,3000}\b(?:user_id|sender_id|user)\b/,
    ],
    shows:
      '"message_id", "channel_url" and the id of an author in its header, and no column that Sendbird does not have',
  },
];
