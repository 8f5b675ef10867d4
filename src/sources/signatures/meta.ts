import type { Signature } from './signature.ts';

const metaHtml = 'Ask for the download again with "Format: JSON", which is read';

/** Downloads of Meta, whose services write alike. */
export const meta: readonly Signature[] = [
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
