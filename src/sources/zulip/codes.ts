import { outside, runs } from '../../model/option.ts';
import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

export const zulipCodes: readonly SourceCode[] = [
  badRow(
    'zulip-no-recipient',
    'Messages to an unknown recipient',
    'The message names a recipient that realm.json does not have, or an answer of the API does not say whose message it is. It may be a private message: in a group named by that number, the wrong people could read it.',
    'Pass the whole export, with realm.json; or export or fetch again.',
  ),
  badRow(
    'zulip-bad-time',
    'Messages without a time',
    '"date_sent", or "timestamp" of an answer of the API, is no number of seconds.',
  ),
  badRow(
    'zulip-no-text',
    'Messages whose text cannot be read',
    '"content" of a message in an answer of the API is no text.',
    'Fetch the message again, or correct the row.',
  ),
  note(
    'zulip-topics-as-labels',
    'Topics that are no threads, for they are fetched in parts',
    'A job that fetches from Zulip again and again has the first message of a topic in another fetch than later ones. A thread that begins anew with each fetch would change messages that were sent.',
    'Nothing; `topics: labels` in the mapping says the same. For threads, fetch everything once with `chatferry fetch`, or export.',
  ),
  note(
    'zulip-bad-history',
    'Earlier versions that cannot be read',
    'The history of edits of a message is no JSON. The message is sent as it was last; its history is left out.',
  ),
  note(
    'zulip-bad-row',
    'Rows of tables that cannot be used',
    'A row of people, streams, subscriptions, files or reactions lacks a required value.',
    'Nothing, if you do not need the row; otherwise correct it, or export again.',
  ),
  note(
    'zulip-reaction-elsewhere',
    'Reactions without their message',
    'The reaction is in another file than its message, or its message is not in the export. Each file is read by itself: the reaction is left out.',
    'Move the rows of zerver_reaction into realm.json, where Zulip itself writes them, and plan again.',
  ),
  decision(
    'zulip-unfinished',
    'Files of an export that broke off',
    'Zulip renames such a file once it is finished. Its messages are whole and are read; others may never have been written.',
    {
      about: 'file',
      question: 'Where is the rest of the export?',
      options: [
        runs('Fetch the messages from the server', 'fetch --from zulip --out FOLDER'),
        outside('Export again, and look into the log of the export'),
      ],
      otherwise: 'only the messages in the export are sent',
    },
  ),
  note(
    'zulip-not-migrated',
    'Data without a counterpart at the destination',
    'Read marks, stars, the program with which something was sent, and tables of settings, drafts and statistics are left out.',
  ),
];
