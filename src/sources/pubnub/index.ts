import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { pubnubCodes } from './codes.ts';
import { pubnubOptionsSchema } from './options.ts';

/** Saved answers of PubNub, as `format.ts` says. */
export const pubnub = defineSource({
  name: 'pubnub',
  title: 'PubNub (saved answers of Fetch Messages, History and App Context, JSON)',
  options: pubnubOptionsSchema,
  codes: pubnubCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['timetoken', 'message', 'uuid'], values: { timetoken: /^\d{16,18}$/ } }] },
  { objects: [{ at: '**', keys: ['timetoken', 'entry'], values: { timetoken: /^\d{16,18}$/ } }] },
  { objects: [{ at: '**', keys: ['timetoken', 'content', 'channelId'], values: { timetoken: /^\d{16,18}$/ } }] },
  {
    files: /\.json$/i,
    text: [/^\s*\[\s*\[\s*\{/, /"timetoken"\s*:\s*"?\d{16,18}"?/, /"message"\s*:/],
    shows: 'a list of messages with "timetoken" in a list',
  },
  { objects: [{ at: '**', keys: ['id', 'name', 'eTag', 'custom', 'updated'] }] },
];
