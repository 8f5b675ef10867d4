import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { rocketchatCodes } from './codes.ts';

/** Rooms of a Rocket.Chat server: collections of its database, answers of its API, and the tables that it imports. */
export const rocketchat = defineSource({
  name: 'rocketchat',
  title: 'Rocket.Chat (mongodump, mongoexport, REST API, CSV)',
  options: noOptions,
  codes: rocketchatCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  {
    files: /(?:^|\/)rocketchat_(?:message|room|subscription)s?\.(?:json|jsonl|ndjson|bson(?:\.gz)?)$/i,
    shows: 'the name of a collection of Rocket.Chat',
  },
  {
    objects: [
      { at: '**', keys: ['_id', 'rid', 'msg', 'ts', 'u'] },
      { at: '**/u', keys: ['_id', 'username'] },
    ],
  },
  { objects: [{ at: '**', keys: ['_id', 't', 'msgs', 'ts'], values: { t: /^[cpdlv]$/ } }] },
  {
    files: /\/[^/]+\/[^/]+\.csv$/i,
    beside: [/(?:^|\/)channels\.csv$/i, /(?:^|\/)users\.csv$/i],
    text: [/^(?:\xef\xbb\xbf|\ufeff)?"?[\w.-]{1,100}"?,(?:"?[\w.-]{1,100}"?,)?"?\d{12,14}"?,/],
    shows: 'a name and milliseconds, next to "users.csv" and "channels.csv"',
  },
];
