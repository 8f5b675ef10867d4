import { expect, it } from 'vitest';
import { typeFromName } from '../../../../src/lib/files/file-types.ts';

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
