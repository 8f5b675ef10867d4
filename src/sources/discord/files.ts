import { asArray, asCount, asId, asObject, asString, asWord, type Untrusted } from '../kit/narrow.ts';
import type { DiscordFile, DiscordMessage, DiscordSticker } from './format.ts';
import type { Row } from './row.ts';

/** The files and stickers of a message. */
export function addFiles({ attachments, stickers }: Untrusted<DiscordMessage>, row: Row): void {
  for (const value of asArray(attachments)) {
    const file = asObject<DiscordFile>(value);
    if (file) addFile(file, row);
  }
  for (const value of asArray(stickers)) {
    const sticker = asObject<DiscordSticker>(value);
    if (sticker) addFile({ id: sticker.id, url: sticker.sourceUrl, fileName: stickerName(sticker) }, row);
  }
}

const stickerEndings: Readonly<Record<string, string>> = { Png: 'png', Apng: 'png', Gif: 'gif', Lottie: 'json' };

function stickerName({ name, format }: Untrusted<DiscordSticker>): string | undefined {
  const ending = stickerEndings[asWord(format)];
  const words = asString(name);
  return words === undefined || ending === undefined ? words : `${words}.${ending}`;
}

/** Adds a file by its address, or a file next to the export, which has to be looked up. */
export function addFile(file: Untrusted<DiscordFile>, row: Row, kind?: string): void {
  const url = asString(file.url);
  const id = asId(file.id);
  const given = asString(file.fileName);
  if (url !== undefined && !/^https?:\/\//i.test(url)) {
    row.hasLocalFiles = true;
    row.files.push({ local: { path: url, name: given, id, kind } });
    return;
  }
  const name = given ?? lastPart(url ?? '');
  const sizeBytes = asCount(file.fileSizeBytes);
  row.files.push({
    ...(id !== undefined && { id }),
    name: name || 'file',
    ...(kind !== undefined && { kind }),
    ...(url !== undefined && { url }),
    ...(sizeBytes !== undefined && { sizeBytes }),
    ...(url === undefined && { unavailable: 'no-address' }),
  });
}

const lastPart = (url: string): string => url.split(/[?#]/, 1)[0]!.split('/').at(-1)!;
