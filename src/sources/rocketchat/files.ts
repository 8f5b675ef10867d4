import type { Attachment } from '../../model/records.ts';
import { describeCards } from '../kit/text/cards.ts';
import { quoted } from '../kit/text/markdown.ts';
import { asArray, asCount, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { idOf, numberOf, type RocketAttachment, type RocketFile, type RocketMessage } from './format.ts';
import { rocketchatText, type TextContext } from './text.ts';

/** Attachments of a message. */
export interface Attached {
  readonly files: readonly Attachment[];
  /** Quotations, which go above the text. */
  readonly above: readonly string[];
  /** Comments on files, and cards. */
  readonly below: readonly string[];
  /** Addresses of the messages that are quoted. */
  readonly quotes: readonly string[];
}

export const nothingAttached: Attached = { files: [], above: [], below: [], quotes: [] };

/** A quotation of a quotation of … : more than that is no conversation. */
const depthMax = 8;

/**
 * Returns files, quotations and cards of a message. The address of a file is its path on the server,
 * `file-upload/<id>/<name>`, which the mapping completes (`messages.attachmentUrls`), or a complete address, unchanged.
 */
export function attachedTo(row: Untrusted<RocketMessage>, context: TextContext): Attached {
  const files = new Map<string, Attachment>();
  const above: string[] = [];
  const below: string[] = [];
  const quotes: string[] = [];
  for (const value of asArray(row.attachments)) {
    const attachment = asObject<RocketAttachment>(value);
    if (attachment === undefined) continue;
    const quote = asString(attachment.message_link);
    const address = fileAddress(attachment);
    if (quote !== undefined) {
      quotes.push(quote);
      above.push(quotation(attachment, context));
    } else if (address === undefined)
      below.push(describeCards([{ ...attachment, text: saidIn(attachment, context) }], context.lose));
    else {
      const id = /\/file-upload\/([\w-]{1,64})\//.exec(address)?.[1] ?? address;
      const name = asString(attachment.title) ?? lastPart(address);
      files.set(id, { id, name, url: address.replace(/^\//, ''), kind: findKind(attachment) });
      below.push(rocketchatText(asString(attachment.description) ?? '', context));
    }
  }
  for (const value of asArray(row.files ?? (row.file && [row.file])))
    addFacts(asObject<RocketFile>(value) ?? {}, files);
  return { files: [...files.values()], above: above.filter(Boolean), below: below.filter(Boolean), quotes };
}

/** Adds the server's data about a file. Thumbnails that the server made itself are in the same list. */
function addFacts(file: Untrusted<RocketFile>, files: Map<string, Attachment>): void {
  const id = idOf(file._id);
  const name = asString(file.name);
  if (id === undefined || file.typeGroup === 'thumb' || (name?.startsWith('thumb-') && files.size > 0)) return;
  const known = files.get(id) ?? { id, name: name ?? id, url: `file-upload/${id}/${encodeURIComponent(name ?? id)}` };
  const sizeBytes = asCount(numberOf(file.size));
  files.set(id, {
    ...known,
    ...(name !== undefined && { name }),
    mimeType: asString(file.type),
    ...(sizeBytes !== undefined && { sizeBytes }),
  });
}

/** A picture, film or sound has its address under the name of its kind. */
const findKind = (attachment: Untrusted<RocketAttachment>) =>
  (['image', 'video', 'audio'] as const).find((kind) => attachment[`${kind}_url`] !== undefined);
const lastPart = (address: string) => address.split(/[?#]/, 1)[0]!.split('/').at(-1) || 'file';

function fileAddress(attachment: Untrusted<RocketAttachment>): string | undefined {
  const { title_link, image_url, audio_url, video_url } = attachment;
  const addresses = [title_link, image_url, audio_url, video_url].map(asString);
  const own = addresses.find(
    (address) => address !== undefined && /^(?:https?:\/\/[^/\s]{1,300})?\/file-upload\//.test(address),
  );
  return own ?? (attachment.type === 'file' ? addresses[0] : undefined) ?? addresses[2] ?? addresses[3];
}

const saidIn = (attachment: Untrusted<RocketAttachment>, context: TextContext) =>
  rocketchatText(asString(attachment.text) ?? '', context);

function quotation(attachment: Untrusted<RocketAttachment>, context: TextContext, depth = 1): string {
  const author = asString(attachment.author_name);
  const inner = asArray(attachment.attachments)
    .map((value) => asObject<RocketAttachment>(value) ?? {})
    .map((one) =>
      asString(one.message_link) !== undefined && depth < depthMax
        ? quotation(one, context, depth + 1)
        : [asString(one.title), asString(one.description)].filter(Boolean).join('\n'),
    );
  const said = [withoutQuoteMark(saidIn(attachment, context)), ...inner].filter(Boolean).join('\n');
  return quoted(author === undefined ? said : `${author}: ${said}`);
}

/** `[ ](https://…?msg=…) `: how a text says what it quotes. */
export const withoutQuoteMark = (text: string): string =>
  text.startsWith('[ ](') ? text.replace(/^(?:\[ \]\([^()\s]{1,2000}\)\s{0,20})+/, '') : text;
