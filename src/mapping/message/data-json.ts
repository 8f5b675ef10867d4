import type { Draft } from './draft-message.ts';
import { dropOrder, dropPart, type Metadata, metadataJson } from './metadata.ts';

/** Put together by hand: most messages have a text and the two fixed keys, and this is the hottest line of a plan. */
export function dataJson({ text, attachments, constants, more }: Draft, metadata: Metadata): string {
  const files = attachments.length > 0 ? `,"attachments":${JSON.stringify(attachments)}` : '';
  const own = more ? members(more) : '';
  return `{"text":${JSON.stringify(text)}${files}${own},"metadata":{"chatferry":${metadataJson(metadata)}${members(constants)}}}`;
}

/** The members of an object as they stand behind others: `,"a":1`, or nothing. */
function members(object: Readonly<Record<string, unknown>>): string {
  for (const _ in object) return `,${JSON.stringify(object).slice(1, -1)}`;
  return '';
}

/** The JSON of `data`; where it is over the limit, metadata gives way part by part in the published order. */
export function dataWithin(
  draft: Draft,
  bytesMax: number | undefined,
): { readonly data: string; readonly isTrimmed: boolean } {
  let kept = draft.metadata;
  let data = dataJson(draft, kept);
  for (const part of dropOrder) {
    if (bytesMax === undefined || data.length * 3 <= bytesMax || Buffer.byteLength(data) <= bytesMax) break;
    kept = dropPart(kept, part);
    data = dataJson(draft, kept);
  }
  return { data, isTrimmed: kept !== draft.metadata };
}

/** The metadata with every part dropped that may be. */
export const leastMetadata = (metadata: Metadata): Metadata => dropOrder.reduce(dropPart, metadata);
