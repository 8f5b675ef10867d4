import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { talkjsCodes } from './codes.ts';

/** Saved answers of TalkJS, as `format.ts` says. */
export const talkjs = defineSource({
  name: 'talkjs',
  title: 'TalkJS (saved answers of the REST API, JSON)',
  options: noOptions,
  codes: talkjsCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  {
    objects: [
      { at: '**', keys: ['id', 'conversationId', 'senderId', 'type'], values: { type: /^(?:User|System)Message$/ } },
    ],
  },
  { objects: [{ at: '**', keys: ['id', 'subject', 'participants', 'topicId'] }] },
  { objects: [{ at: '**', keys: ['id', 'name', 'photoUrl', 'welcomeMessage', 'availabilityText'] }] },
];
