import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { quickbloxCodes } from './codes.ts';

/** Saved answers of QuickBlox and ConnectyCube, as `format.ts` says. */
export const quickblox = defineSource({
  name: 'quickblox',
  title: 'QuickBlox and ConnectyCube (saved answers of the REST API, JSON)',
  options: noOptions,
  codes: quickbloxCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const objectId = /^[0-9a-f]{24}$/;

const marks: readonly Marks[] = [
  {
    objects: [
      {
        at: '**',
        keys: ['_id', 'chat_dialog_id', 'date_sent', 'sender_id'],
        values: { chat_dialog_id: objectId },
      },
    ],
  },
  { objects: [{ at: '**', keys: ['_id', 'occupants_ids', 'xmpp_room_jid', 'type'], values: { _id: objectId } }] },
  { objects: [{ at: '**/user', keys: ['id', 'full_name', 'login', 'blob_id'] }] },
  { objects: [{ at: '**', keys: ['id', 'full_name', 'login', 'external_user_id', 'last_request_at'] }] },
];
