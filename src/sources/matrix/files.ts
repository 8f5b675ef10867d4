import type { Attachment } from '../../model/records.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import { compact } from '../kit/compact.ts';
import { asArray, asCount, asObject, asString } from '../kit/narrow.ts';
import type { Content, MatrixContent } from './format.ts';

/** Types of messages that are a file, and the folder in which Element puts it. */
const folders: Readonly<Record<string, string>> = {
  'm.image': 'images',
  'm.video': 'videos',
  'm.audio': 'audio',
  'm.file': 'files',
  'm.sticker': 'stickers',
};

export const isFile = (kind: string): boolean => Object.hasOwn(folders, kind);

interface Info {
  readonly mimetype: string;
  readonly size: number;
  readonly thumbnail_url: string;
  readonly thumbnail_file: object;
}

/**
 * Returns the file of a message. Its address is `mxc://server/id`, which the mapping completes
 * (`messages.attachmentUrls`). Files of an encrypted room are stored encrypted.
 */
export function readAttachment(kind: string, content: Content, lose: (part: LostPart) => void): Attachment {
  const info = asObject<Info>(content.info) ?? {};
  const encrypted = asObject<{ url: string }>(content.file);
  const url = asString(content.url) ?? asString(encrypted?.url);
  const name = asString(content.filename) ?? asString(content.body) ?? 'file';
  if (info.thumbnail_url !== undefined || info.thumbnail_file !== undefined) lose('cardDetails');
  return compact<Attachment>({
    ...(url !== undefined && { id: url.replace(/^mxc:\/\//, '') }),
    name,
    ...(url !== undefined && encrypted === undefined && { url }),
    mimeType: asString(info.mimetype),
    kind,
    sizeBytes: asCount(info.size),
    ...(url === undefined && { unavailable: 'no-address' }),
    ...(url !== undefined && encrypted !== undefined && { unavailable: 'encrypted' }),
  });
}

/** The files of a gallery, each as a message has its own, under `itemtype` instead of `msgtype`. */
export const readGallery = (content: Content, lose: (part: LostPart) => void): Attachment[] =>
  asArray(content.itemtypes).flatMap((value) => {
    const item = asObject<MatrixContent>(value);
    const kind = asString(item?.itemtype);
    return item !== undefined && kind !== undefined && isFile(kind) ? [readAttachment(kind, item, lose)] : [];
  });

/** Whether the body is a caption: it is, if it is not the name of the file. */
export function hasCaption(content: Content): boolean {
  const filename = asString(content.filename);
  return filename !== undefined && asString(content.body) !== undefined && content.body !== filename;
}

/**
 * Files that Element put next to the messages. Their names contain the original name and the time, in the language and
 * time zone of the exporting user: `images/boat-3-2-2026 at 10-00-07.png`. If several match, minutes and seconds
 * decide.
 */
export class FilesBeside {
  readonly #paths: readonly string[];

  /** @param base Folder of `export.json`, with its slash. */
  constructor(paths: readonly string[], base: string) {
    const known = new Set(Object.values(folders));
    const isFileOf = (path: string) => path.startsWith(base) && known.has(path.slice(base.length).split('/', 1)[0]!);
    this.#paths = paths
      .filter(isFileOf)
      .map((path) => path.slice(base.length))
      .sort();
  }

  get isEmpty(): boolean {
    return this.#paths.length === 0;
  }

  /** @returns the path below the folder, where just one fits. */
  find(kind: string, content: Content, sentAtMs: number): string | undefined {
    const body = asString(content.body) ?? '';
    const dot = body.lastIndexOf('.');
    const prefix = `${folders[kind] ?? ''}/${dot > 0 ? body.slice(0, dot) : body}-`;
    const found: string[] = [];
    for (let at = this.#firstFrom(prefix); this.#paths[at]?.startsWith(prefix) && found.length < 1000; at++)
      found.push(this.#paths[at]!);
    if (found.length < 2) return found[0];
    const time = new Date(sentAtMs).toISOString();
    const fitting = found.filter((path) => path.includes(`-${time.slice(14, 16)}-${time.slice(17, 19)}`));
    return fitting.length === 1 ? fitting[0] : undefined;
  }

  /** Index of the first path that is not before the prefix. */
  #firstFrom(prefix: string): number {
    let [low, high] = [0, this.#paths.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#paths[middle]! < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
