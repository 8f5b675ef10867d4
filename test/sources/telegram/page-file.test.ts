import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { telegram } from '../../../src/sources/telegram/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const page = readFileSync('samples/telegram/pages/export/messages.html', 'utf8');

async function readPages(files: Readonly<Record<string, string>>) {
  const entries = await readAll(telegram, memoryInput(files));
  return {
    texts: entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message' ? [entry.record.text] : [],
    ),
    rejects: entries.flatMap((entry) => (entry.type === 'invalid' ? [entry.code] : [])),
    entries,
  };
}

it('a page that breaks off between two messages says so', async () => {
  const cut = page.slice(0, page.indexOf('<div class="message default clearfix" id="message4">'));
  const { texts, rejects } = await readPages({ 'messages.html': cut });
  expect([texts.length, rejects]).toEqual([3, ['telegram-cut-off']]);
});

it('a forwarded message is not mistaken for the one it was forwarded with', async () => {
  const { texts } = await readPages({ 'messages.html': page });
  expect(texts.at(-1)).toBe('_Forwarded from Harbour office_\nOpen until ten');
});

it('pages next to a result.json are skipped as copies', async () => {
  const chat = { name: 'A', type: 'private_group', id: 1, messages: [] };
  const { texts, entries } = await readPages({ 'messages.html': page, 'result.json': JSON.stringify(chat) });
  expect(texts).toEqual([]);
  expect(entries).toContainEqual(expect.objectContaining({ path: 'messages.html', role: 'skipped' }));
});

it('a time before 2022 has no zone, and an invalid time rejects its message', async () => {
  const old = page.replaceAll(' UTC+01:00', '').replace('02.03.2026 10:01:00', 'soon');
  const { entries, rejects } = await readPages({ 'messages.html': old });
  expect(rejects).toEqual(['bad-time']);
  // Its next page is not there.
  expect(entries.filter((entry) => entry.type === 'problem').map(({ code }) => code)).toEqual([
    'zone-assumed',
    'export-is-partial',
  ]);
});

it('a person who wrote through a bot stays the author, and a forwarded reply keeps the message it answers', async () => {
  const by = page.replace(/(<div class="from_name">\s*[^<]*?)\s*(<\/div>)/, '$1 via @gif $2');
  const names = ({ entries }: Awaited<ReturnType<typeof readPages>>) =>
    entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'user' ? [entry.record.name] : []));
  expect(by).not.toBe(page);
  expect(names(await readPages({ 'messages.html': by }))).toEqual(names(await readPages({ 'messages.html': page })));
  const reply = '<div class="reply_to details">In reply to <a href="#go_to_message1">this message</a></div>';
  const forwarded = page.replace(/(<div class="forwarded body">[\s\S]*?)(<div class="text">)/, `$1${reply}$2`);
  const { entries } = await readPages({ 'messages.html': forwarded });
  const quotes = entries.flatMap((entry) =>
    entry.type === 'record' && entry.record.kind === 'message' && entry.record.text.startsWith('_Forwarded')
      ? [entry.record.quoteOf]
      : [],
  );
  expect(quotes).toContain('1');
});
