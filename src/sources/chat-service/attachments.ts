import type { Attachment } from '../../model/records.ts';
import type { FerriedMetadata, ServiceAttachment, ServiceData } from './format.ts';
import { asArray, asObject, asString, type Untrusted } from '../kit/narrow.ts';

/** The files of a message, and those that an earlier import could only name. The service keeps addresses, no files. */
export function attachmentsOf(
  data: Untrusted<ServiceData>,
  ferried: Untrusted<FerriedMetadata> | undefined,
): Attachment[] {
  return [
    ...asArray(data.attachments)
      .map((value) => asObject<ServiceAttachment>(value))
      .flatMap(toAttachment),
    ...asArray(ferried?.files)
      .map((value) => asObject<{ name: string; why: string }>(value))
      .flatMap(withoutAddress),
  ];
}

function toAttachment(file: Untrusted<ServiceAttachment> | undefined): Attachment[] {
  if (!file) return [];
  const url = asString(file.url);
  const mimeType = asString(file.mimeType);
  const sizeBytes = sizeOf(file.size);
  return [
    {
      name: asString(file.name) ?? lastPart(url) ?? 'file',
      ...(url !== undefined && { url }),
      ...(mimeType !== undefined && { mimeType }),
      ...(sizeBytes !== undefined && { sizeBytes }),
    },
  ];
}

/** What an earlier import wrote for a file that was named without any reason for it. */
const noReason = 'no address';

function withoutAddress(file: Untrusted<{ name: string; why: string }> | undefined): Attachment[] {
  const name = asString(file?.name);
  const why = asString(file?.why);
  if (name === undefined) return [];
  return [{ name, ...(why !== undefined && why !== noReason && { unavailable: why }) }];
}

function sizeOf(size: unknown): number | undefined {
  const bytes = typeof size === 'string' && /^\d{1,15}(?:\.\d{1,15})?$/.test(size) ? Number(size) : size;
  return typeof bytes === 'number' && bytes >= 0 && bytes <= Number.MAX_SAFE_INTEGER ? Math.ceil(bytes) : undefined;
}

const lastPart = (url: string | undefined): string | undefined => asString(url?.split(/[?#]/, 1)[0]?.split('/').at(-1));
