import { appRowsAt, readAppDatabases } from '../kit/files/app-rows.ts';
import type { ReadSource } from '../source.ts';
import type { RowsAt } from '../table-source.ts';
import { readDatabase } from './database-file.ts';
import type { ViberOptions } from './options.ts';
import { files, shape } from './format.ts';

/** Files that the app keeps next to its database. */
const beside: readonly (readonly [path: RegExp, reason: string])[] = [
  [/(?:^|\/)ViberDownloads\//i, 'File of a message, which names it'],
  [/(?:^|\/)(?:Avatars|Backgrounds|Thumbnails|StickersCache|Temporary)\//i, 'Pictures of the app'],
  [/(?:^|\/)(?:config|data)\.db(?:-wal|-shm)?$/i, 'Settings of the app'],
];

export const read: ReadSource<ViberOptions> = (input, options, context) =>
  readAppDatabases(input, options, context, {
    files,
    readDatabase,
    beside: (path) => beside.find(([named]) => named.test(path))?.[1],
  });

/** An event, and what was said with it. */
const eventTables = [
  ['Events', 'EventID'],
  ['Messages', 'EventID'],
] as const;

export const rowsAt: RowsAt = (input, _, locations, bytesMax = Number.POSITIVE_INFINITY) =>
  appRowsAt(input, locations, { shape, messages: 'Events', shown: eventTables, bytesMax });
