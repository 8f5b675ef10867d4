import { appRowsAt, readAppDatabases } from '../kit/files/app-rows.ts';
import type { ReadSource } from '../source.ts';
import type { RowsAt } from '../table-source.ts';
import { readDatabase } from './database-file.ts';
import type { ImessageOptions } from './options.ts';
import { files, shape } from './format.ts';

export const read: ReadSource<ImessageOptions> = (input, options, context) =>
  readAppDatabases(input, options, context, { files, beside, readDatabase });

export const rowsAt: RowsAt = (input, _, locations, bytesMax = Number.POSITIVE_INFINITY) =>
  appRowsAt(input, locations, { shape, messages: 'message', shown: [['message', 'ROWID']], bytesMax });

function beside(path: string, databases: ReadonlySet<string>): string | undefined {
  const base = /^(.*\/|)Attachments\//.exec(path)?.[1];
  const isBeside = base !== undefined && [...databases].some((database) => isIn(database, base));
  return isBeside ? 'File of a message, which names it' : undefined;
}

const isIn = (path: string, folder: string): boolean => path.slice(0, path.lastIndexOf('/') + 1) === folder;
