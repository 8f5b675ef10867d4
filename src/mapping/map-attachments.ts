import type { Attachment } from '../model/records.ts';
import { isUsableUrl } from './map-person.ts';

/** An attachment in the service's shape; `size` is a string there. */
interface WireAttachment {
  readonly name: string;
  readonly extension: string;
  readonly mimeType: string;
  readonly size?: string;
  readonly url: string;
}

/** Attachments with an address. The service keeps the address, it does not copy the file. */
export function mapAttachments(attachments: readonly Attachment[] | undefined): WireAttachment[] {
  if (!attachments) return [];
  return attachments.filter((file) => isUsableUrl(file.url)).map(mapAttachment);
}

function mapAttachment(file: Attachment): WireAttachment {
  return {
    name: file.name,
    extension: /\.([A-Za-z0-9]{1,16})$/.exec(file.name)?.[1]?.toLowerCase() ?? '',
    mimeType: file.mimeType ?? 'application/octet-stream',
    ...(file.sizeBytes !== undefined && { size: String(file.sizeBytes) }),
    url: file.url!,
  };
}

/** The message type that the first attachment makes: `image`, `video`, `audio` or `file`; `text` without one. */
export function messageType(attachments: readonly WireAttachment[]): string {
  const kind = attachments[0]?.mimeType.split('/', 1)[0];
  if (kind === undefined) return 'text';
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'file';
}
