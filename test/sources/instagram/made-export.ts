import { join } from 'node:path';
import { makeDownload } from '../messenger/made-export.ts';

/** A download of about so many bytes, always the same. @returns how many messages it has. */
export const makeExport = (folder: string, bytes: number): Promise<number> =>
  makeDownload(join(folder, 'your_instagram_activity'), bytes);
