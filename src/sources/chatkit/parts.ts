import type { Attachment } from '../../model/records.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asArray, asCount, asObject, asString, describe, kindOf, type Untrusted } from '../kit/narrow.ts';
import { type ChatkitFile, type ChatkitMessage, type ChatkitPart, customDataOf } from './format.ts';

/** Content of the parts of a message. */
export interface Content {
  /** One for each part of text, in order. */
  readonly texts: string[];
  readonly files: Attachment[];
  /** Parts that only the application understands, and its data of files. */
  readonly others: object[];
}

type Part = Untrusted<ChatkitPart & ChatkitFile>;

/** The content of a message with parts, or of an older one with a text and one attachment. */
export function contentOf(row: Untrusted<ChatkitMessage>): Content | RowProblem {
  const content: Content = { texts: [], files: [], others: [] };
  if (row.parts === undefined) return olderContentOf(row, content);
  if (!Array.isArray(row.parts)) return badPart(`Expected "parts" as a list, found ${kindOf(row.parts)}`);
  for (const value of asArray(row.parts)) {
    const problem = addPart(value, content);
    if (problem !== undefined) return problem;
  }
  return content;
}

function olderContentOf(row: Untrusted<ChatkitMessage>, content: Content): Content | RowProblem {
  if (typeof row.text !== 'string') return badPart(`Expected "parts" or "text", found ${describe(row.text)}`);
  content.texts.push(row.text);
  const attachment = asObject<{ resource_link: unknown }>(row.attachment);
  const url = asString(attachment?.resource_link);
  if (attachment !== undefined) content.files.push(fileOf({ url }, undefined));
  return content;
}

const badPart = (reason: string): RowProblem => ({ code: 'chatkit-bad-part', reason });

function addPart(value: unknown, { texts, files, others }: Content): RowProblem | undefined {
  const outer = asObject<{ part_type: unknown; payload: unknown }>(value);
  const part = asObject<ChatkitPart & ChatkitFile>(outer?.part_type === undefined ? value : outer.payload) as Part;
  if (part === undefined) return badPart(`Expected a part with a payload, found ${kindOf(value)}`);
  const kind = asString(outer?.part_type) ?? kindOfPart(part);
  const type = asString(part.type);
  if (kind === 'inline') {
    if (typeof part.content !== 'string')
      return badPart(`Expected "content" of an inline part as text, found ${kindOf(part.content)}`);
    if (type === undefined || type.startsWith('text/')) texts.push(part.content);
    else others.push({ type, content: part.content });
    return undefined;
  }
  if (kind === 'url') {
    const url = asString(part.url);
    if (url === undefined) return badPart(`Expected "url" of a part, found ${describe(part.url)}`);
    files.push(fileOf({ url }, type));
    return undefined;
  }
  if (kind !== 'attachment')
    return badPart(`Expected a part that is inline, url or attachment, found ${describe(kind)}`);
  const file = asObject<ChatkitFile>(part.attachment) ?? part;
  files.push(fileOf({ url: asString(file.download_url), file }, type));
  const data = customDataOf(file);
  if (Object.keys(data).length > 0) others.push({ name: asString(file.name), ...data });
  return undefined;
}

/** Parts of the API say by their fields what they are. */
const kindOfPart = ({ content, url, attachment }: Part): string | undefined => {
  if (content !== undefined) return 'inline';
  if (url !== undefined) return 'url';
  return attachment === undefined ? undefined : 'attachment';
};

interface FileParts {
  readonly url: string | undefined;
  readonly file?: Untrusted<ChatkitFile>;
}

function fileOf({ url, file }: FileParts, mimeType: string | undefined): Attachment {
  const id = asString(file?.id);
  const sizeBytes = asCount(file?.size);
  const name =
    asString(file?.name) ??
    url
      ?.replace(/[?#].*/s, '')
      .split('/')
      .at(-1);
  return {
    ...(id !== undefined && { id }),
    name: name || 'file',
    ...(url === undefined ? { unavailable: 'not-in-export' } : { url }),
    ...(mimeType?.includes('/') && { mimeType }),
    ...(sizeBytes !== undefined && { sizeBytes }),
  };
}
