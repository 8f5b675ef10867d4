import { describe, expect, it } from 'vitest';
import { EarlierMessages } from '../../../src/sources/chat-service/imported-metadata.ts';

describe('EarlierMessages', () => {
  it('always knows the last 100,000 messages, and forgets those older than 200,000', () => {
    const earlier = new EarlierMessages();
    const count = 450_000;
    for (let index = 0; index < count; index++) earlier.add(`m${index}`, String(index));
    expect(earlier.idOf(`m${count - 1}`)).toBe(String(count - 1));
    expect(earlier.idOf(`m${count - 100_000}`)).toBe(String(count - 100_000));
    expect(earlier.idOf(`m${count - 200_001}`)).toBeUndefined();
    expect(earlier.idOf('never')).toBeUndefined();
  });
});
