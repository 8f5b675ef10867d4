import { expect, it } from 'vitest';
import { renewedPayload } from '../../src/delivery/lanes.ts';

const renewed = (muid: string) => `${muid}2`;
const payload = (chatferry: object, more: object = {}) =>
  JSON.stringify({ category: 'message', data: { text: '"key":"a"', metadata: { chatferry, ...more } } });

it('renewedPayload() replaces our key and the messages that are answered or quoted, and nothing else', () => {
  const given = payload({ v: 1, key: 'a', thread: 'b', quote: 'c', custom: { key: 'a', id: '175928847299117063' } });
  expect(renewedPayload(given, renewed)).toBe(
    payload({ v: 1, key: 'a2', thread: 'b2', quote: 'c2', custom: { key: 'a', id: '175928847299117063' } }),
  );
});

it('renewedPayload() leaves a payload alone that has no metadata of ours', () => {
  for (const given of ['{"forgotten":"abc"}', '{"data":{"text":"x"}}'])
    expect(renewedPayload(given, renewed)).toBe(given);
});
