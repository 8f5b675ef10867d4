import { createCipheriv, createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { looksEncrypted } from '../../../src/lib/text/cipher.ts';

const bytes = (seed: string) => createHash('sha256').update(seed).digest();

function encrypted(text: string): { iv: string; tag: string; data: Buffer } {
  const cipher = createCipheriv('aes-256-gcm', bytes('key'), bytes(text).subarray(0, 12));
  const data = Buffer.concat([cipher.update(text), cipher.final()]);
  return { iv: bytes(text).subarray(0, 12).toString('hex'), tag: cipher.getAuthTag().toString('hex'), data };
}

describe('looksEncrypted()', () => {
  it.each(['ok', 'See you at eight', 'Könnten Sie mir bitte die Rechnung schicken?'])(
    'knows %j as a cipher, however it is written',
    (text) => {
      const { iv, tag, data } = encrypted(text.padEnd(24, '.'));
      const base64 = data.toString('base64');
      for (const cipher of [
        base64,
        data.toString('base64url'),
        data.toString('hex'),
        `${iv}:${tag}:${data.toString('hex')}`,
        `${iv}.${tag}.${base64}`,
        `v1:${base64}`,
        `U2FsdGVkX1${base64}`,
        `eyJpdiI6${base64}`,
        `{"p":"${base64}","h":{"iv":"${iv}"}}`,
        `-----BEGIN PGP MESSAGE-----\n\n${base64}`,
      ])
        expect(looksEncrypted(cipher), cipher).toBe(true);
    },
  );

  it.each([
    'ok',
    'See you at eight tomorrow, and bring the papers',
    '明日の会議は午後三時からに変更になりましたのでよろしくお願いいたします',
    '我们明天下午三点在会议室见面讨论新的项目计划和预算安排',
    'พรุ่งนี้เจอกันที่ร้านกาแฟตอนบ่ายสามโมงนะครับ',
    'https://www.example.com/a/Very/long-Path1?with=Query2',
    'ines.marlow@mail.example.com',
    '3f2b1c4d-1111-4222-8333-0123456789ab',
    '+49 170 1234567, call me',
    'hahahahahahahahahahahahahaha',
    'WELCOMETOTHEJUNGLEWEHAVEFUNANDGAMES',
    '20240301123456789012345',
    'IMG_20240301_123456_1.jpg',
    'Donaudampfschifffahrtsgesellschaftskapitaen',
    '{"type":"card","id":5}',
  ])('takes %j for a text', (text) => expect(looksEncrypted(text)).toBe(false));
});
