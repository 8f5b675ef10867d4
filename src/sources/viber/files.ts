import type { ExportInput } from '../../io/input/export-input.ts';
import type { Attachment } from '../../model/records.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { asObject, asString } from '../kit/narrow.ts';
import type { DatabaseRow } from '../kit/rows/database-row.ts';
import { messageTypes, tokenOf } from './format.ts';
import type { Info } from './info.ts';

/** Kinds of messages that have a file, as a name says them if there is no better one. */
const kinds: ReadonlyMap<number | undefined, string> = new Map([
  [messageTypes.picture, 'picture'],
  [messageTypes.video, 'video'],
  [messageTypes.voice, 'voice message'],
  [messageTypes.file, 'file'],
]);

export type FilesOf = (row: DatabaseRow, info: Info, type: number | undefined) => Promise<Attachment[]>;

/**
 * The files of messages. The database has paths of the computer that it is from: a file is found in the folder of the same name next to
 * the database, or right next to it.
 *
 * @param base Folder of the database, with its slash.
 */
export async function storedFiles(input: ExportInput, base: string): Promise<FilesOf> {
  const files = await localFiles(input, base);
  return async (row, info, type) => {
    const sticker = findSticker(row, type);
    if (sticker !== undefined) return [{ id: sticker, name: `sticker ${sticker}`, unavailable: 'not-in-export' }];
    const stored = asString(row.PayloadPath);
    const kind = kinds.get(type);
    if (stored === undefined && kind === undefined) return [];
    const parts = (stored ?? '').split(/[/\\]/);
    const name = parts.at(-1) || asString(asObject<{ FileName: string }>(info.fileInfo)?.FileName) || kind || 'file';
    const inside = [parts.slice(-2).join('/'), name].find((path) => files.has(path));
    return [
      inside === undefined
        ? { name, unavailable: 'not-in-export' }
        : await files.attachment({ path: inside, name, kind }),
    ];
  };
}

function findSticker(row: DatabaseRow, type: number | undefined): string | undefined {
  const id = tokenOf(row.StickerID);
  return id ?? (type === messageTypes.sticker ? 'unknown' : undefined);
}
