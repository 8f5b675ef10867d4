import type { SourceCode } from '../kit/codes.ts';

export const zulipCodes: readonly SourceCode[] = [
  {
    code: 'zulip-no-recipient',
    severity: 'blocks',
    title: 'Messages to an unknown recipient',
    explanation:
      'The message names a recipient that realm.json does not have, or an answer of the API does not say whose message it is. It may be a private message: in a group named by that number, the wrong people could read it.',
    remedy: 'Pass the whole export, with realm.json; or export or fetch again.',
  },
  {
    code: 'zulip-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"date_sent", or "timestamp" of an answer of the API, is no number of seconds.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'zulip-no-text',
    severity: 'blocks',
    title: 'Messages whose text cannot be read',
    explanation: '"content" of a message in an answer of the API is no text.',
    remedy: 'Fetch the message again, or correct the row.',
  },
  {
    code: 'zulip-topics-as-labels',
    severity: 'information',
    title: 'Topics that are no threads, for they are fetched in parts',
    explanation:
      'A job that fetches from Zulip again and again has the first message of a topic in another fetch than later ones. A thread that begins anew with each fetch would change messages that were sent.',
    remedy:
      'Nothing; `topics: labels` in the mapping says the same. For threads, fetch everything once with `chatferry fetch`, or export.',
  },
  {
    code: 'zulip-bad-history',
    severity: 'information',
    title: 'Earlier versions that cannot be read',
    explanation:
      'The history of edits of a message is no JSON. The message is sent as it was last; its history is left out.',
    remedy: 'Nothing.',
  },
  {
    code: 'zulip-bad-row',
    severity: 'information',
    title: 'Rows of tables that cannot be used',
    explanation: 'A row of people, streams, subscriptions, files or reactions lacks a required value.',
    remedy: 'Nothing, if you do not need the row; otherwise correct it, or export again.',
  },
  {
    code: 'zulip-reaction-elsewhere',
    severity: 'information',
    title: 'Reactions without their message',
    explanation:
      'The reaction is in another file than its message, or its message is not in the export. Each file is read by itself: the reaction is left out.',
    remedy: 'Move the rows of zerver_reaction into realm.json, where Zulip itself writes them, and plan again.',
  },
  {
    code: 'zulip-unfinished',
    severity: 'decision',
    title: 'Files of an export that broke off',
    explanation:
      'Zulip renames such a file once it is finished. Its messages are whole and are read; others may never have been written.',
    about: 'nothing',
    options: ['Export again, and look into the log of the export.', 'Let it be so, if nothing else was to be written.'],
    otherwise: 'only the messages in the export are sent',
  },
  {
    code: 'zulip-not-migrated',
    severity: 'information',
    title: 'Data without a counterpart at the destination',
    explanation:
      'Read marks, stars, the program with which something was sent, and tables of settings, drafts and statistics are left out.',
    remedy: 'Nothing.',
  },
];
