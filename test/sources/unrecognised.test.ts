import { expect, it } from 'vitest';
import { describeUnknown } from '../../src/sources/unrecognised.ts';
import { memoryInput } from '../contracts/memory-input.ts';

it.each([
  [
    { 'a.json': [{ sender: 'Ann', room_id: '1' }] },
    '"a.json" is JSON (a list) in UTF-8 with "sender", "room_id"',
    'json',
  ],
  [{ 'a.csv': 'who;said\nAnn;Hi\n' }, '"a.csv" is a table in UTF-8 with "who", "said"', 'csv'],
  [{ 'a.bin': Buffer.from([1, 2, 3]) }, '"a.bin" is no text (binary)', undefined],
  [{ 'a.html': '<html>' }, '"a.html" is a page or XML in UTF-8', undefined],
  [{ 'a.pdf': '%PDF-1.7\n' }, '"a.pdf" is a PDF document', undefined],
  [{ 'a.eml': 'From: a@b.example\nTo: c@d.example\nSubject: x\n\nhi' }, '"a.eml" is a mail, or a mailbox', undefined],
  [{ 'a.jpg': Buffer.from([0xff, 0xd8, 0xff, 0xe0]) }, '"a.jpg" is a picture', undefined],
  [{ 'a.mp4': '\0\0\0 ftypisom' }, '"a.mp4" is a film or a sound', undefined],
  [{ 'a.rtf': '{\\rtf1 hi}' }, '"a.rtf" is a document of Office', undefined],
  [{ 'a.pst': '!BDN' }, '"a.pst" is a mail, or a mailbox', undefined],
  [{ 'word/document.xml': '<w/>', '[Content_Types].xml': '<t/>' }, '"memory" is a document of Office', undefined],
  [
    { 'a.txt': 'From: Ann\nHello, Subject: none\n' },
    '"a.txt" is text in UTF-8 that begins "From: Ann Hello, Subject: none"',
    undefined,
  ],
])('describeUnknown() describes the look of an export', async (files, words, source) => {
  const found = await describeUnknown(memoryInput(files));
  expect(found).toMatchObject({ words, source });
  // One way on, whatever it is: no file without messages is worth a --source.
  if (source === undefined && !words.includes('is text')) expect(found.advice).toBeDefined();
});

it('describeUnknown() names two sources and their missing keys', async () => {
  const files = { 'a.json': [{ sender: 'Ann', room_id: '1', type: 'm', content: {} }] };
  const { nearest } = await describeUnknown(memoryInput(files));
  expect(nearest).toHaveLength(2);
  expect(nearest[0]).toBe('matrix: no "event_id", "origin_server_ts"');
});

it('describeUnknown() shows no control characters of a hostile name or key', async () => {
  const { words } = await describeUnknown(memoryInput({ 'a\u001b[31m.json': [{ 'k\u001b[0m': 1 }] }));
  expect(words).not.toContain('\u001b');
});
