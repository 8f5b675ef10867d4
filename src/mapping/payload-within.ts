import { dropOrder, dropPart, type Metadata } from './metadata.ts';

interface Payload {
  readonly data: { readonly metadata?: { readonly chatferry?: Metadata } };
}

/**
 * Returns a payload in the size that a destination takes. If it is over that, metadata is dropped: first the properties
 * of pictures, then the rest in the published order. Undefined if even then it is too large.
 *
 * @param bytesMax Of `data`.
 */
export function payloadWithin(payload: string, bytesMax: number): string | undefined {
  if (payload.length * 3 <= bytesMax) return payload;
  const whole = JSON.parse(payload) as Payload;
  const { data } = whole;
  if (sizeOf(data) <= bytesMax) return payload;
  const { chatferry, ...constants } = data.metadata ?? {};
  if (!chatferry) return undefined;
  let { media: _, ...kept }: Metadata = chatferry;
  for (const part of [undefined, ...dropOrder]) {
    if (part) kept = dropPart(kept, part);
    const smaller = { ...data, metadata: { chatferry: kept, ...constants } };
    if (sizeOf(smaller) <= bytesMax) return JSON.stringify({ ...whole, data: smaller });
  }
  return undefined;
}

const sizeOf = (data: Payload['data']): number => Buffer.byteLength(JSON.stringify(data));
