import { badRow, note, type SourceCode } from '../kit/codes.ts';

const together =
  'Ask for the whole room in one file: join the lists of all answers, or use the export of Element or Synapse.';

export const matrixCodes: readonly SourceCode[] = [
  badRow(
    'matrix-no-room',
    'Events of no room',
    'Neither the event nor the data around it names the room in which it was sent.',
    'Set source.room in the mapping if all files are from one room; or save answers that name it.',
  ),
  badRow('matrix-bad-time', 'Events without a time', '"origin_server_ts" is no number of milliseconds.'),
  note(
    'matrix-deleted-elsewhere',
    'Messages that were deleted, as another file says',
    'A message was deleted, and it is not in this file. If another file has it from before the deletion, it is sent.',
    'Ask for the whole room in one file: join the lists of all answers, or use the export of Element or Synapse. Nothing, if the files were saved from a server after the deletion: it leaves no text.',
  ),
  note(
    'matrix-edited-elsewhere',
    'Edits of messages that are not in the file',
    'The edited message is not in this file, or it has another author. If another file has it, that version is sent.',
    'Ask for the whole room in one file: join the lists of all answers, or use the export of Element or Synapse. Nothing, if the later text is not needed.',
  ),
  note(
    'matrix-answered-elsewhere',
    'Reactions and votes to messages that are not in the file',
    'They are events of their own, and their message is not in the same file: they are left out.',
    together,
  ),
  note(
    'matrix-earlier-version',
    'Earlier versions of edited messages',
    'An edit is an event of its own. The last one is the text; earlier texts are left out.',
  ),
  note(
    'matrix-no-message',
    'Events that say nothing',
    'Programs send events of types of their own into rooms. Those without a text are left out.',
    'Check the types, and report those that people can see.',
  ),
  note(
    'matrix-not-migrated',
    'Signals, powers, keys and positions',
    'Signals of calls, powers other than those of admins and moderators, read positions, keys of encrypted files, positions of live locations and removed reactions have no counterpart at the destination.',
    'Nothing. Of encrypted files, export the room with Element, with attachments: it has them in clear.',
  ),
];
