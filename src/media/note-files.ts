import type { Store } from '../store/open.ts';
import { exportOrigin, type MessageWithFiles, type NamedMedia } from '../store/media.ts';
import { saysNothing } from '../lib/files/file-types.ts';
import { sha256Hex } from '../lib/hash.ts';
import { listPayloadFiles, type PlannedFile } from '../mapping/payload.ts';
import { parseExpiry } from './fetch/expiry.ts';

/** Returns the digest of a payload with new addresses: it shows whether a later plan has replaced the payload. */
export const payloadDigest = (payload: string): string => sha256Hex(payload).slice(0, 16);

/**
 * Records which planned messages have which files, each file once. A message that was recorded before and is planned as
 * before stays as it is. Goes through the messages with files once.
 */
export function noteFiles(store: Store): void {
  const note = store.transaction((page: readonly MessageWithFiles[]) => {
    for (const message of page) {
      if (isAsMade(message)) continue;
      const files = listPayloadFiles(message.payload, message.files).map((file) => fileNumber(store, file, message));
      store.media.noteUses(message.seq, message.payload, files);
    }
  });
  for (const page of store.media.messagesWithFiles()) note(page);
  store.transaction(() => store.media.dropUnused())();
}

/** The number of a file. One that says how a message changed has the copies of that message, at their new addresses. */
function fileNumber(store: Store, file: PlannedFile, { follows, input }: MessageWithFiles): number {
  const copy =
    follows === null || file.kind === 'export' ? undefined : store.media.copyAt(follows, file.attachment.url);
  return copy ?? store.media.noteFile(mediaOf(file, input));
}

/** Returns whether nothing has changed since the last check: the payload is the planned one, or was made from it. */
const isAsMade = ({ isNoted, made, payload, planned }: MessageWithFiles): boolean =>
  isNoted === 1 && (made === null ? payload === planned : made === payloadDigest(payload));

function mediaOf(file: PlannedFile, input: number): NamedMedia {
  if (file.kind === 'export') {
    const { path, name, mimeType, size } = file;
    return { origin: exportOrigin(input, path), host: '', name, mimeType, sizeBytes: bytesOf(size), expiresAtMs: null };
  }
  const { url, name, mimeType, size } = file.attachment;
  return {
    origin: url,
    host: URL.canParse(url) ? new URL(url).host : '',
    name,
    mimeType: saysNothing(mimeType) ? '' : mimeType,
    sizeBytes: bytesOf(size),
    expiresAtMs: parseExpiry(url) ?? null,
  };
}

const bytesOf = (size: string | undefined): number | null =>
  size !== undefined && /^\d{1,15}$/.test(size) ? Number(size) : null;
