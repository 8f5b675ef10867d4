import { describe, expect, it } from 'vitest';
import { payloadWithin } from '../../src/mapping/payload.ts';

const payload = (chatferry: object) =>
  JSON.stringify({
    category: 'message',
    type: 'text',
    data: { text: 'é', metadata: { chatferry, own: 1 } },
    tags: ['t'],
  });
const base = { v: 1, key: 'm1', thread: 'm2' };
const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify((JSON.parse(text) as { data: object }).data));

describe('payloadWithin()', () => {
  it('leaves what fits as it is, to the byte', () => {
    const given = payload({ ...base, mentions: ['ann'] });
    expect(payloadWithin(given, bytesOf(given))).toBe(given);
    expect(payloadWithin(given, bytesOf(given) - 1)).not.toBe(given);
  });

  it('drops picture details first, then other fields in the published order, and lists those', () => {
    const given = { ...base, mentions: ['ann'], custom: { a: 'x'.repeat(50) }, media: [{ file: 0, width: 1 }] };
    const { media: _, ...others } = given;
    expect(payloadWithin(payload(given), bytesOf(payload(others)))).toBe(payload(others));
    const { mentions: __, custom: ___, ...least } = others;
    const dropped = payload({ ...least, dropped: ['mentions', 'custom'] });
    expect(payloadWithin(payload(given), bytesOf(dropped))).toBe(dropped);
  });

  it('is nothing where what says who and where is too large', () => {
    expect(payloadWithin(payload(base), 20)).toBeUndefined();
  });
});
