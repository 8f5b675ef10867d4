import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkKeyTemplate, encodeKey, fillKeyTemplate } from '../../../src/media/locations/key-template.ts';
import { anyText } from '../../arbitrary-text.ts';

const sha256 = 'ab34'.repeat(16);
const key = (template: string, name: string, contentType = '') =>
  fillKeyTemplate(template, { sha256, name, contentType });

describe('fillKeyTemplate()', () => {
  it.each([
    ['{sha256}{ext}', 'Photo.JPG', '', `${sha256}.jpg`],
    ['{sha256}{ext}', 'photo', 'image/jpeg; q=1', `${sha256}.jpg`],
    ['{sha256}{ext}', 'photo', 'made/up', sha256],
    ['{sha256}{ext}', '.jpg', 'image/png', `${sha256}.png`],
    ['{sha256}{ext}', 'a.tar gz', '', sha256],
    ['{sha256:2}/{sha256:4}/{sha256}', 'a', '', `ab/ab34/${sha256}`],
    ['{sha256}/{name}', 'a b.png', '', `${sha256}/a b.png`],
    ['{sha256}/{name}', '../../etc/passwd', '', `${sha256}/_.._etc_passwd`],
    ['{sha256}/{name}', '...', '', `${sha256}/file`],
    ['{sha256}/{name}', 'CON.txt', '', `${sha256}/_CON.txt`],
    ['{sha256}/{name}', 'a\u0000b\u202ecod.exe', '', `${sha256}/abcod.exe`],
    ['{sha256}/{name}', `${'名'.repeat(50)}.docx`, '', `${sha256}/${'名'.repeat(31)}.docx`],
  ])('makes of %s and "%s" (%s) %s', (template, name, contentType, wanted) => {
    expect(key(template, name, contentType)).toBe(wanted);
  });

  it('never leads out of its place, whatever a file is called', () => {
    fc.assert(
      fc.property(anyText, fc.oneof(anyText, fc.constant('image/png')), templates, (name, type, template) => {
        checkKeyTemplate(template);
        const made = key(template, name, type);
        const segments = made.split('/');
        expect(segments).toHaveLength(template.split('/').length);
        for (const segment of segments) {
          expect(segment).not.toMatch(/^(?:\.|$)|[\u0000-\u001f\u007f\\]|[. ]$/);
          expect(Buffer.byteLength(segment)).toBeLessThanOrEqual(255);
        }
        // As an address it leads to the same place.
        const url = new URL(`https://files.example/x/${encodeKey(made)}`);
        expect(url.pathname).toBe(`/x/${encodeKey(made)}`);
        expect(decodeURIComponent(url.pathname)).toBe(`/x/${made}`);
      }),
    );
  });
});

const templates = fc.constantFrom(
  '{sha256}{ext}',
  '{sha256:2}/{sha256}/{name}',
  'a-b/{name}-{sha256}{ext}',
  '{name}{ext}/{sha256}',
);

describe('checkKeyTemplate()', () => {
  it.each([
    ['{name}', 'expected {sha256} in it'],
    ['{sha256:2}{ext}', 'expected {sha256} in it'],
    ['/{sha256}', 'a part between slashes is empty'],
    ['a//{sha256}', 'a part between slashes is empty'],
    ['{sha256}/', 'a part between slashes is empty'],
    ['../{sha256}', '".." begins or ends with a dot'],
    ['.a/{sha256}', '".a" begins or ends with a dot'],
    ['{sha256}/{ext}', '"{ext}" begins or ends with a dot or an ending'],
    ['{sha256}.', 'begins or ends with a dot'],
    ['{sha256}{size}', '{size} means nothing'],
    ['{sha256}{sha256:65}', '{sha256:65} means nothing'],
    ['{sha256}?a', '"?a" is not for addresses'],
    ['{sha256}{', '"{" is not for addresses'],
    ['{name}{name}{sha256}', 'too long'],
  ])('refuses %s', (template, why) => {
    expect(() => checkKeyTemplate(template)).toThrow(`Cannot use "${template}" as media.key`);
    expect(() => checkKeyTemplate(template)).toThrow(why);
  });

  it.each(['{sha256}', '{sha256}{ext}', 'chat/{sha256:2}/{sha256}/{name}'])('takes %s', (template) => {
    expect(() => checkKeyTemplate(template)).not.toThrow();
  });
});
