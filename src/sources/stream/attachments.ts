import type { Attachment } from '../../model/records.ts';
import type { Lose } from '../kit/lost.ts';
import { describeCards } from '../kit/text/cards.ts';
import { asArray, asCount, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { readCustom, isEmpty, type StreamAttachment } from './format.ts';

/** Kinds whose address is a file. */
const fileTypes: ReadonlySet<string> = new Set(['image', 'file', 'video', 'audio', 'voiceRecording', 'giphy', 'media']);

const known: ReadonlySet<string> = new Set(
  `type image_url asset_url thumb_url og_scrape_url title title_link text fallback color pretext author_name author_link author_icon footer
  footer_icon fields actions mime_type file_size original_width original_height duration waveform_data giphy name`.split(
    /\s+/,
  ),
);

/** Returns the attachments of a message: files, and cards as text. Previews of links are counted. */
export function attachedTo(values: unknown, lose: Lose): { readonly files: Attachment[]; readonly text: string } {
  const files: Attachment[] = [];
  const cards: unknown[] = [];
  for (const value of asArray(values)) {
    const attachment = asObject<StreamAttachment>(value);
    if (attachment === undefined) continue;
    const address = addressOf(attachment);
    if (asString(attachment.og_scrape_url) !== undefined) lose('previews');
    else if (address !== undefined && fileTypes.has(asString(attachment.type) ?? 'file')) {
      files.push(readFile(attachment, address));
      lose('menus', asArray(attachment.actions).length);
    } else {
      cards.push(attachment);
      const asset = asString(attachment.asset_url);
      if (asset !== undefined) files.push(readFile(attachment, asset));
    }
    if (!isEmpty(readCustom(attachment, known))) lose('appData');
  }
  return { files, text: describeCards(cards, lose) };
}

const addressOf = ({ asset_url, image_url, thumb_url }: Untrusted<StreamAttachment>) =>
  asString(asset_url) ?? asString(image_url) ?? asString(thumb_url);

function readFile(
  { type, title, fallback, mime_type, file_size }: Untrusted<StreamAttachment>,
  url: string,
): Attachment {
  const sizeBytes = asCount(
    typeof file_size === 'string' && /^\d{1,15}$/.test(file_size) ? Number(file_size) : file_size,
  );
  return {
    name: asString(title) ?? asString(fallback) ?? (url.split(/[?#]/, 1)[0]!.split('/').at(-1) || 'file'),
    url,
    mimeType: asString(mime_type),
    kind: asString(type),
    ...(sizeBytes !== undefined && { sizeBytes }),
  };
}
