import type { SourceCode } from '../kit/codes.ts';

const together =
  'Ask for the whole room in one file: join the lists of all answers, or use the export of Element or Synapse.';

export const matrixCodes: readonly SourceCode[] = [
  {
    code: 'matrix-no-room',
    severity: 'blocks',
    title: 'Events of no room',
    explanation: 'Neither the event nor the data around it names the room in which it was sent.',
    remedy: 'Set source.room in the mapping if all files are from one room; or save answers that name it.',
  },
  {
    code: 'matrix-bad-time',
    severity: 'blocks',
    title: 'Events without a time',
    explanation: '"origin_server_ts" is no number of milliseconds.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'matrix-deleted-elsewhere',
    severity: 'decision',
    title: 'Messages that were deleted, as another file says',
    explanation:
      'A message was deleted, and it is not in this file. If another file has it from before the deletion, it is sent.',
    about: 'nothing',
    options: [together, 'Let it be so, if the files were saved from a server after the deletion: it leaves no text.'],
    otherwise: 'the message is sent as the other file has it',
  },
  {
    code: 'matrix-edited-elsewhere',
    severity: 'decision',
    title: 'Edits of messages that are not in the file',
    explanation:
      'The edited message is not in this file, or it has another author. If another file has it, that version is sent.',
    about: 'nothing',
    options: [together, 'Ignore it if you do not need the later text.'],
    otherwise: 'the message is sent as its own file has it',
  },
  {
    code: 'matrix-answered-elsewhere',
    severity: 'information',
    title: 'Reactions and votes to messages that are not in the file',
    explanation: 'They are events of their own, and their message is not in the same file: they are left out.',
    remedy: together,
  },
  {
    code: 'matrix-earlier-version',
    severity: 'information',
    title: 'Earlier versions of edited messages',
    explanation: 'An edit is an event of its own. The last one is the text; earlier texts are left out.',
    remedy: 'Nothing.',
  },
  {
    code: 'matrix-no-message',
    severity: 'information',
    title: 'Events that say nothing',
    explanation: 'Programs send events of types of their own into rooms. Those without a text are left out.',
    remedy: 'Check the types, and report those that people can see.',
  },
  {
    code: 'matrix-not-migrated',
    severity: 'information',
    title: 'Signals, powers, keys and positions',
    explanation:
      'Signals of calls, powers of people, read positions, keys of encrypted files, positions of live locations and removed reactions have no counterpart at the destination.',
    remedy: 'Nothing. Of encrypted files, export the room with Element, with attachments: it has them in clear.',
  },
];
