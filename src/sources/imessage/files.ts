import type { ExportInput } from '../../io/input/export-input.ts';
import type { Attachment } from '../../model/records.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { asString } from '../kit/narrow.ts';
import { type DatabaseRow as Row, numberOf } from '../kit/rows/database-row.ts';

/** The folder of files next to the database, on a Mac and on a phone. */
const stored = /(?:^|\/)Library\/(?:Messages|SMS)\/(Attachments\/.+)$/;

/** Pictures and sounds of previews and apps, not of people. */
export const isOfApp = ({ filename, transfer_name }: Row): boolean =>
  /\.pluginPayloadAttachment$/i.test(asString(filename) ?? asString(transfer_name) ?? '');

/** @param base Folder of the database, with its slash. */
export async function storedFiles(input: ExportInput, base: string): Promise<(row: Row) => Promise<Attachment>> {
  const files = await localFiles(input, base);
  return async (row) => {
    const path = asString(row.filename);
    const inside = stored.exec(path ?? '')?.[1];
    const id = asString(row.guid);
    const name = asString(row.transfer_name) ?? path?.split('/').at(-1) ?? 'file';
    const about = { ...(id !== undefined && { id }), name, mimeType: asString(row.mime_type), kind: asString(row.uti) };
    if (inside !== undefined && files.has(inside)) return files.attachment({ ...about, path: inside });
    const sizeBytes = numberOf(row.total_bytes) ?? 0;
    return { ...about, ...(sizeBytes > 0 && { sizeBytes }), unavailable: 'not-in-export' };
  };
}
