import { describe, expect, it } from 'vitest';
import { findMediaType, typeFromName } from '../../../src/lib/files/file-types.ts';

it('typeFromName() derives the type from the end of the name, ignoring case', () => {
  expect(['a.png', 'IMG 1.JPG', 'voice-message.ogg', 'a.tar.gz', 'report.docx'].map(typeFromName)).toEqual([
    'image/png',
    'image/jpeg',
    'audio/ogg',
    'application/gzip',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ]);
});

it('typeFromName() says nothing of other names', () => {
  expect(['', 'file', 'a.xyz', '.hidden', 'a.constructor'].map(typeFromName)).toEqual(Array(5).fill(undefined));
});

describe('findMediaType()', () => {
  it.each([
    ['the type that the row says', { name: 'a.png', mimeType: 'image/webp' }, 'image/webp'],
    ['the name, if the row says nothing', { name: 'a.png', mimeType: 'application/octet-stream' }, 'image/png'],
    [
      'the address, if the name does not',
      { name: 'Our boat', url: 'https://a.example/b%20c.oga?d=e.png' },
      'audio/ogg',
    ],
    ['a kind, if nothing is more precise', { name: 'tide', kind: 'video' }, 'video/mp4'],
    ['a kind in a name of the platform', { name: 'voicemail', kind: 'PLUS_AUDIO_V2' }, 'audio/mpeg'],
    ['a kind in the place of a type', { name: '7', mimeType: 'voiceRecording' }, 'audio/mpeg'],
    ['a type without its second half', { name: '7', mimeType: 'image/*' }, 'image/jpeg'],
    ['an ending in the place of a kind', { name: '7', kind: 'public.heic' }, 'image/heic'],
    ['a kind that says what is in an MP4', { name: 'a.mp4', kind: 'audio_files' }, 'audio/mp4'],
    [
      'a kind that says what is in an MP4 of the row',
      { name: 'a', mimeType: 'video/webm', kind: 'slack_audio' },
      'audio/webm',
    ],
    ['a GIF that is a film by its name', { name: 'a.mp4', kind: 'gif' }, 'video/mp4'],
    ['a picture at the address of a page', { name: 'photo.html', kind: 'image' }, 'image/jpeg'],
    ['a document among pictures', { name: 'scan.pdf', kind: 'image' }, 'application/pdf'],
    ['nothing of a file', { name: 'file', kind: 'file', url: 'https://files.example.zip' }, undefined],
    ['nothing of a name without a dot', { name: 'log' }, undefined],
  ])('knows %s', (_, words, type) => {
    expect(findMediaType(words)).toBe(type);
  });
});
