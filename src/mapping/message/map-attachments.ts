import { findMediaType } from '../../lib/files/file-types.ts';
import type { Attachment } from '../../model/records.ts';
import { isUsableUrl } from '../../service/profiles.ts';

/** An attachment in the service's shape; `size` is a string there. */
// A type, not an interface: what modules answer may have further keys.
export type WireAttachment = {
  readonly name: string;
  readonly extension: string;
  readonly mimeType: string;
  readonly size?: string | undefined;
  readonly url: string;
};

export interface UnattachedFile {
  readonly name: string;
  readonly why: string;
}

export interface MappedFiles {
  readonly attached: readonly WireAttachment[];
  readonly others: readonly UnattachedFile[];
}

const noFiles: MappedFiles = { attached: [], others: [] };

/** Files with an address are attached. The service keeps the address, it does not copy the file. */
export function mapAttachments(files: readonly Attachment[] | undefined, isDropping: boolean): MappedFiles {
  if (!files) return noFiles;
  const isAttached = (file: Attachment) => !isDropping && isUsableUrl(file.url);
  return {
    attached: files.filter(isAttached).map(mapAttachment),
    others: files
      .filter((file) => !isAttached(file))
      .map((file) => ({ name: file.name, why: file.unavailable ?? whyNot(file.url) })),
  };
}

function whyNot(url: string | undefined): string {
  if (url === undefined) return 'no address';
  return isUsableUrl(url) ? 'left out by the mapping' : 'not a web address';
}

/** Returns the extension of a name: the letters and digits after its last dot, in small letters; otherwise empty. */
export const extensionOf = (name: string): string => /\.([A-Za-z0-9]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? '';

const mapAttachment = (file: Attachment): WireAttachment => ({
  name: file.name,
  extension: extensionOf(file.name),
  mimeType: findMediaType(file) ?? 'application/octet-stream',
  ...(file.sizeBytes !== undefined && { size: String(file.sizeBytes) }),
  url: file.url!,
});

/** The message type that the first attachment makes: `image`, `video`, `audio` or `file`; `text` without one. */
export function messageType(attachments: readonly WireAttachment[]): string {
  const kind = attachments[0]?.mimeType.split('/', 1)[0]?.toLowerCase();
  if (kind === undefined) return 'text';
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'file';
}
