import { decoded } from '../lib/text/decoded.ts';
import type { Attachment } from '../model/records.ts';
import { isUsableUrl } from './map-attachments.ts';

/** A file of a message that is in the export itself. */
export interface ExportedFile {
  /** Inside the input that the message was read from. */
  readonly path: string;
  readonly name: string;
  readonly mimeType: string;
  /** Bytes, as text; absent if the export does not give the size. */
  readonly size?: string;
}

/** The files of a message that could be attached, in their order: of the export, or by their number among those that the payload attaches. */
export type FileOrder = readonly (ExportedFile | number)[];

/**
 * Returns the order of a message's files if some of them are in the export. Other files need no record: those with an
 * address are in the payload.
 */
export function fileOrderOf(files: readonly Attachment[] | undefined): FileOrder | undefined {
  if (!files?.some(({ url }) => pathOf(url) !== undefined)) return undefined;
  const order: (ExportedFile | number)[] = [];
  let attached = 0;
  for (const { url, name, mimeType = '', sizeBytes } of files) {
    if (isUsableUrl(url)) order.push(attached++);
    const path = pathOf(url);
    if (path !== undefined)
      order.push({ path, name, mimeType, ...(sizeBytes !== undefined && { size: String(sizeBytes) }) });
  }
  return order;
}

/** The path that an address is, as the kit of the sources writes it: relative, its segments encoded, without a scheme. */
function pathOf(url: string | undefined): string | undefined {
  return !url || /^(?:[a-z][a-z0-9+.-]*:|[/\\#?])/i.test(url) ? undefined : decoded(url);
}
