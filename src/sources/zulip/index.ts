import { z } from 'zod';
import { choiceOption } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { zulipCodes } from './codes.ts';

/** Exports of an organisation of Zulip and answers of its API, as `format.ts` says. */
export const zulip = defineSource({
  name: 'zulip',
  title: 'Zulip (data exports, saved answers of the API)',
  options: z.lazy(() =>
    z.strictObject({
      topics: choiceOption(
        ['threads', 'labels'],
        'How to import a topic of a stream: "threads" makes its messages replies to its first one (default), "labels" keeps them as separate messages; custom.topic has the name either way. Use "labels" if people should see a stream as one flow.',
      ),
    }),
  ),
  codes: zulipCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { files: /(?:^|\/)messages-\d{6,}\.json$/, beside: [/(?:^|\/)realm\.json$/], shows: '"realm.json" beside it' },
  { objects: [{ at: '', keys: ['zerver_message'] }] },
  { objects: [{ at: '', keys: ['zerver_realm'] }] },
  { objects: [{ at: '', keys: ['zerver_userprofile'] }] },
  { objects: [{ at: '**', keys: ['sender_id', 'sender_realm_str', 'recipient_id', 'display_recipient'] }] },
  { objects: [{ at: '**', keys: ['user_id', 'full_name', 'avatar_version', 'is_bot'] }] },
  { objects: [{ at: '**', keys: ['stream_id', 'invite_only', 'rendered_description'] }] },
];
