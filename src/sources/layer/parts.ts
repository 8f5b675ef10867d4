import type { Attachment } from '../../model/records.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asArray, asCount, asObject, asString, kindOf, type Untrusted } from '../kit/narrow.ts';
import { idOf, type LayerContent, type LayerPart } from './format.ts';

/** Content of the parts of a message. */
export interface Content {
  /** One for each part of text, in order. */
  readonly texts: string[];
  readonly files: Attachment[];
  /** Parts that only the application understands. */
  readonly others: object[];
  /** How many parts are previews of another part. */
  previewCount: number;
}

export function contentOf(parts: unknown): Content | RowProblem {
  if (!Array.isArray(parts)) return badPart(`Expected "parts" as a list, found ${kindOf(parts)}`);
  const content: Content = { texts: [], files: [], others: [], previewCount: 0 };
  for (const value of asArray(parts)) {
    const problem = addPart(asObject<LayerPart>(value), content);
    if (problem !== undefined) return problem;
  }
  return content;
}

const badPart = (reason: string): RowProblem => ({ code: 'layer-bad-part', reason });

function addPart(part: Untrusted<LayerPart> | undefined, content: Content): RowProblem | undefined {
  if (part === undefined) return badPart('Expected a part, found something else');
  const type = asString(part.mime_type) ?? '';
  const rich = asObject<LayerContent>(part.content);
  if (rich !== undefined) {
    content.files.push(fileOf(rich, type));
    return undefined;
  }
  const { body } = part;
  if (typeof body !== 'string') return badPart(`Expected "body" of a part as text, found ${kindOf(body)}`);
  const isEncoded = part.encoding === 'base64';
  const text = isEncoded && isText(type) ? Buffer.from(body, 'base64').toString('utf8') : body;
  const shown = isText(type) ? text : textOfModel(type, text);
  if (shown !== undefined) content.texts.push(shown);
  else if (/\+preview\b/i.test(type)) content.previewCount += 1;
  // Data of at most 2 kB, which has no address.
  else if (isEncoded || /^(?:image|audio|video)\//.test(type)) content.files.push(fileOf({}, type));
  else content.others.push({ mime_type: type, body });
  return undefined;
}

const isText = (type: string): boolean => /^text\/|^$/.test(type);

/** A text message of Layer's own user interface: `application/vnd.layer.text+json` with `{"text": …}`. Bodies have 2 kB at most. */
function textOfModel(type: string, body: string): string | undefined {
  if (!type.startsWith('application/vnd.layer.text+json') || body.length > 10_000) return undefined;
  try {
    const { text } = asObject<{ text: unknown }>(JSON.parse(body) as unknown) ?? {};
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Layer knows no names of files: the kind of one is all there is. */
function fileOf(rich: Untrusted<LayerContent>, type: string): Attachment {
  const id = idOf(rich.id);
  const url = asString(rich.download_url);
  const sizeBytes = asCount(rich.size);
  const mimeType = /^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0];
  const [kind, ending] = mimeType?.split('/') ?? [];
  return {
    ...(id !== undefined && { id }),
    name: ending !== undefined && /^[a-z0-9]{2,5}$/.test(ending) ? `${kind}.${ending}` : 'file',
    ...(url === undefined ? { unavailable: 'not-in-export' } : { url }),
    ...(mimeType !== undefined && { mimeType }),
    ...(sizeBytes !== undefined && { sizeBytes }),
  };
}
