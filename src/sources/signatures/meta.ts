import { asJson, type Signature } from './signature.ts';

/** A part of a thread, in the folder of the thread: `messages/inbox/ann_1/message_1.json`. */
const threadFile = /\/message_\d+\.json$/i;
const threadHead = [
  { at: '', keys: ['participants', 'messages'] },
  { at: '/participants/*', keys: ['name'] },
];
const metaRows = [
  { at: '', keys: ['messages'] },
  { at: '/messages/*', keys: ['sender_name', 'timestamp_ms', 'content'] },
];
const metaAdvice = asJson(
  'rows in /messages, newest first, with timestamp_ms, sender_name, content; there are no ids, the conversation is the title of each file, so give it as a constant and read thread by thread. Letters other than English come broken (Ã©): repair them first',
);
const metaHtml =
  'Ask for the download again with "Format: JSON", which can be read with a mapping ("chatferry init --source json")';

/** Downloads of Meta, whose services write alike. */
export const meta: readonly Signature[] = [
  {
    platform: 'Facebook Messenger',
    layout: 'encrypted chats, JSON of the secure storage',
    marks: [
      {
        objects: [
          { at: '', keys: ['participants', 'threadName', 'messages'] },
          { at: '/messages/*', keys: ['senderName', 'timestamp'] },
        ],
      },
    ],
    advice: asJson(
      'rows in /messages, newest first, with timestamp (unix-ms), senderName, text, and $outer.threadName for the conversation',
    ),
  },
  {
    platform: 'Facebook Messenger',
    layout: 'JSON of the download of your information',
    marks: [
      {
        files: /\.json$/i,
        folders: /(?:^|\/)your_(?:activity_across_facebook|facebook_activity)\/messages\//i,
        shows: 'the folders of a Facebook download around it',
      },
      { files: threadFile, folders: /(?:^|\/)facebook-/i, objects: metaRows },
    ],
    advice: metaAdvice,
  },
  {
    platform: 'Instagram',
    layout: 'JSON of the download of your information',
    marks: [
      {
        files: /\.json$/i,
        folders: /(?:^|\/)your_instagram_activity\/messages\//i,
        shows: 'the folders of an Instagram download around it',
      },
      { files: /\.json$/i, folders: /instagram/i, objects: metaRows },
    ],
    advice: metaAdvice,
  },
  {
    platform: 'Instagram or Facebook Messenger',
    layout: 'JSON of the download of your information',
    marks: [{ objects: metaRows }, { files: threadFile, objects: threadHead }],
    advice: metaAdvice,
  },
  {
    platform: 'Facebook Messenger',
    layout: 'HTML of the download of your information',
    marks: [
      {
        files: /\.html$/i,
        folders: /(?:^|\/)your_(?:activity_across_facebook|facebook_activity)\/messages\//i,
        shows: 'the folders of a Facebook download around it',
      },
    ],
    advice: metaHtml,
  },
  {
    platform: 'Instagram',
    layout: 'HTML of the download of your information',
    marks: [
      {
        files: /\.html$/i,
        folders: /(?:^|\/)your_instagram_activity\/messages\//i,
        shows: 'the folders of an Instagram download around it',
      },
    ],
    advice: metaHtml,
  },
  {
    platform: 'Instagram or Facebook Messenger',
    layout: 'HTML of the download of your information',
    marks: [
      {
        files: /\.html$/i,
        text: [
          />Participants: \S/,
          />(?:[A-Z][a-z]{2} \d{1,2}, \d{4}(?:,| at) \d{1,2}:\d\d(?::\d\d)?\s?[AP]M|\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d(?::\d\d)?)</i,
        ],
        shows: 'a line "Participants: …" and a time below each message',
      },
    ],
    advice: metaHtml,
  },
];
