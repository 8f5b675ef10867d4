import type { Attachment } from '../../model/records.ts';
import { asArray, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { Lose } from '../kit/lost.ts';
import { nameIn } from '../kit/text/html-body.ts';
import { listWords } from '../kit/text/structure-words.ts';
import { bold } from '../kit/text/markdown.ts';
import type { HubSpotAttachment } from './format.ts';

export interface Attached {
  readonly files: readonly Attachment[];
  readonly above: readonly string[];
  readonly below: readonly string[];
  /** Replies that were offered. */
  readonly choices: readonly string[];
}

/** Files, places and headers of a message; menus and data of channels are counted. */
export function attachedTo(value: unknown, lose: Lose): Attached {
  const files: Attachment[] = [];
  const above: string[] = [];
  const below: string[] = [];
  const choices: string[] = [];
  if (value !== undefined && value !== null && !Array.isArray(value)) lose('appData');
  for (const one of asArray(value)) {
    const attachment = asObject<HubSpotAttachment>(one) ?? {};
    const text = asString(attachment.text);
    const fileId = asId(attachment.fileId);
    if (attachment.type === 'FILE') files.push(readFile(attachment));
    else if (attachment.type === 'LOCATION') below.push(describePlace(attachment));
    else if (attachment.type === 'QUICK_REPLIES') {
      lose('menus', Math.max(1, asArray(attachment.quickReplies).length));
      choices.push(...listWords(attachment.quickReplies));
    } else if (attachment.type === 'MESSAGE_HEADER' && (text !== undefined || fileId !== undefined)) {
      if (text !== undefined) above.push(bold(text));
      if (fileId !== undefined) files.push(readFile(attachment));
    } else lose('appData');
  }
  return { files, above, below, choices };
}

function readFile(file: Untrusted<HubSpotAttachment>): Attachment {
  const id = asId(file.fileId);
  const url = asString(file.url);
  return {
    ...(id !== undefined && { id }),
    name: asString(file.name) ?? (url === undefined ? 'file' : nameIn(url)),
    kind: asString(file.fileUsageType),
    ...(url === undefined ? { unavailable: 'no-address' } : { url }),
  };
}

function describePlace({ latitude, longitude, name, address }: Untrusted<HubSpotAttachment>): string {
  const isPoint = typeof latitude === 'number' && typeof longitude === 'number';
  const words = [asString(name), asString(address), isPoint ? `(${latitude}, ${longitude})` : undefined];
  return `Location: ${words.filter((word) => word !== undefined).join(', ')}`;
}
