import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { twilioCodes } from './codes.ts';

/** Saved answers of Twilio, as `format.ts` says. */
export const twilio = defineSource({
  name: 'twilio',
  title: 'Twilio Conversations, Programmable Chat and text messages (saved answers of the API, JSON)',
  options: noOptions,
  codes: twilioCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const sids = (prefix: string) => ({ sid: new RegExp(`^${prefix}[0-9a-f]{32}$`) });

const marks: readonly Marks[] = [
  { objects: [{ at: '**', keys: ['sid', 'from', 'to', 'direction', 'status'], values: sids('(?:SM|MM)') }] },
  { objects: [{ at: '**', keys: ['sid', 'author', 'body', 'index'], values: sids('IM') }] },
  { objects: [{ at: '**', keys: ['sid', 'from', 'body', 'channel_sid'], values: sids('IM') }] },
  { objects: [{ at: '**', keys: ['sid', 'from', 'body', 'channelSid'], values: sids('IM') }] },
  { objects: [{ at: '**', keys: ['sid', 'friendly_name', 'attributes'], values: sids('CH') }] },
  { objects: [{ at: '**', keys: ['sid', 'friendlyName', 'attributes'], values: sids('CH') }] },
  { objects: [{ at: '**', keys: ['sid', 'identity', 'attributes'], values: sids('(?:MB|US)') }] },
  {
    objects: [
      { at: '**', keys: ['MessageSid', 'ConversationSid', 'DateCreated'], values: { MessageSid: /^IM[0-9a-f]{32}$/ } },
    ],
  },
];
