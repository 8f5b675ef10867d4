import { asJson, type Signature } from './signature.ts';

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
        files: /(?:^|\/)your_(?:activity_across_facebook|facebook_activity)\/messages\/.*\.json$/i,
        shows: 'the folders of a Facebook download around it',
      },
      { files: /(?:^|\/)facebook[^/]*\/.*\.json$/i, objects: metaRows },
    ],
    advice: metaAdvice,
  },
  {
    platform: 'Instagram',
    layout: 'JSON of the download of your information',
    marks: [
      {
        files: /(?:^|\/)your_instagram_activity\/messages\/.*\.json$/i,
        shows: 'the folders of an Instagram download around it',
      },
      { files: /instagram.*\.json$/i, objects: metaRows },
    ],
    advice: metaAdvice,
  },
  {
    platform: 'Instagram or Facebook Messenger',
    layout: 'JSON of the download of your information',
    marks: [{ objects: metaRows }],
    advice: metaAdvice,
  },
  {
    platform: 'Facebook Messenger',
    layout: 'HTML of the download of your information',
    marks: [
      {
        files: /(?:^|\/)your_(?:activity_across_facebook|facebook_activity)\/messages\/.*\.html$/i,
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
        files: /(?:^|\/)your_instagram_activity\/messages\/.*\.html$/i,
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
          />Participants: [^<]+</,
          />(?:[A-Z][a-z]{2} \d{1,2}, \d{4}(?:,| at) \d{1,2}:\d\d(?::\d\d)?\s?[AP]M|\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d(?::\d\d)?)</i,
        ],
        shows: 'a line "Participants: …" and a time below each message',
      },
    ],
    advice: metaHtml,
  },
];
