import type { Attachment, Reaction } from '../../model/records.ts';
import { asArray, asCount, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { asServiceId } from './conversation.ts';
import type { ImportedMetadata, ServiceAttachment, ServiceData, ServiceMessage } from './format.ts';

/** The files of a message, and those that an earlier import could only name. The service keeps addresses, no files. */
export function readAttachments(
  { type }: Untrusted<ServiceMessage>,
  data: Untrusted<ServiceData>,
  imported: Untrusted<ImportedMetadata> | undefined,
): Attachment[] {
  return [
    ...asArray(data.attachments)
      .map((value) => asObject<ServiceAttachment>(value))
      .flatMap((file) => toAttachment(file, asString(type))),
    ...asArray(imported?.files)
      .map((value) => asObject<{ name: string; why: string }>(value))
      .flatMap(withoutAddress),
  ];
}

function toAttachment(file: Untrusted<ServiceAttachment> | undefined, kind: string | undefined): Attachment[] {
  if (!file) return [];
  const url = asString(file.url);
  const sizeBytes = sizeOf(file.size);
  return [
    {
      name: asString(file.name) ?? lastPart(url) ?? 'file',
      ...(url !== undefined && { url }),
      mimeType: asString(file.mimeType),
      kind,
      ...(sizeBytes !== undefined && { sizeBytes }),
    },
  ];
}

/** Text that an earlier import wrote for a file that was named without any reason for it. */
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

/**
 * Reactions that the service counted, and those that an earlier import kept in metadata, which also say who. An import may
 * have done both with the same reaction: then the higher count holds, not the sum.
 */
export function readReactions(
  data: Untrusted<ServiceData>,
  imported: Untrusted<ImportedMetadata> | undefined,
): Reaction[] {
  const reactions = new Map<string, Reaction>();
  const add = (emoji: string | undefined, count: number, users: readonly string[]) => {
    if (emoji === undefined || count === 0) return;
    const known = reactions.get(emoji);
    const all = [...new Set([...(known?.users ?? []), ...users])];
    reactions.set(emoji, { emoji, users: all, count: Math.max(known?.count ?? 0, count, all.length) });
  };
  for (const value of asArray(imported?.reactions)) {
    const reaction = asObject<{ emoji: string; count: number; by: string[] }>(value);
    const users = asArray(reaction?.by)
      .map(asServiceId)
      .filter((uid) => uid !== undefined);
    add(asString(reaction?.emoji), asCount(reaction?.count) ?? users.length, users);
  }
  for (const value of asArray(data.reactions)) {
    const reaction = asObject<{ reaction: string; count: number }>(value);
    add(asString(reaction?.reaction), asCount(reaction?.count) ?? 1, []);
  }
  return [...reactions.values()];
}
