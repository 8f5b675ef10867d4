import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { irc } from '../../src/sources/irc/index.ts';
import { slack } from '../../src/sources/slack/index.ts';
import { UnreadChats } from '../../src/sources/detect.ts';
import { made } from './signatures/made.ts';
import { type MemoryFiles, memoryInput } from '../contracts/memory-input.ts';

async function reasonOf(
  files: MemoryFiles,
  path: string,
  adapter = slack as ConstructorParameters<typeof UnreadChats>[1],
) {
  const judged = await new UnreadChats(memoryInput(files), adapter).judge({ type: 'file', path, role: 'unknown' });
  return judged.isChat ? judged.reason : undefined;
}

describe('a file that a source does not know', () => {
  it.each([
    ['rows.json', [{ text: 'Hi', created_at: 1, author: { id: 'a' } }]],
    ['rows.csv', 'Date,From,Body\n2020-01-01,Ann,Hi\n'],
    ['wrapped.json', { export: { rows: [{ row: { content: 'Hi', originalarrivaltime: 1, from: 'a' } }] } }],
    ['nested.json', [{ item: { authorId: 1, dateSent: 1, content: { text: { body: 'Hi' } } } }]],
    ['labels.json', [{ timestamp: 1, label_values: [{ dict: [{ label: 'Author' }, { label: 'Text' }] }] }]],
  ])('%s looks like chat by its texts, times and authors', async (path, content) => {
    expect(await reasonOf({ [path]: content, 'users.json': [] }, path)).toBe(
      'It looks like a chat: its rows have texts, times and authors',
    );
  });

  it('looks like chat if another source recognises it, and names that source', async () => {
    const log = '[12:00] <ann> Hi\n[12:01] <tom> Hello\n[12:02] <ann> Bye\n';
    const files = { 'a.log': log, 'users.json': [] };
    expect(await reasonOf(files, 'a.log')).toBe('It looks like a chat of irc: read it with --source irc');
    expect(await reasonOf(files, 'a.log', irc)).toMatch(/was not read with the rest/);
  });

  it.each([
    ['Pidgin: a log in HTML', irc],
    ['Adium: a log, XML or HTML', irc],
    ['Slack: pages of slack-export-viewer', irc],
    ['iMessage: a chat as imessage-exporter writes it', irc],
    ['Matrix: a room, HTML or text of Element', slack],
  ])('looks like chat if its marks identify a platform, and explains what to do: %s', async (name, adapter) => {
    for (const files of made[name]!) {
      const [path] = Object.keys(files);
      const reason = await reasonOf({ ...files, 'users.json': [] }, path!, adapter as typeof slack);
      expect(reason).toContain(`It looks like a chat of ${name.split(':')[0]}`);
    }
  });

  it.each([
    ['telegram', 'samples/telegram/pages/export/messages.html'],
    ['discord', 'samples/discord/channel-html/export/Harbour - Piers - general [1477000000000000100].html'],
  ])('looks like chat if it is a page that %s reads', async (source, path) => {
    const page = readFileSync(path, 'utf8');
    expect(await reasonOf({ 'old/page.html': page, 'users.json': [] }, 'old/page.html')).toBe(
      `It looks like a chat of ${source}: read it with --source ${source}`,
    );
  });

  it.each([
    ['settings.json', { theme: 'dark', updated_at: 1 }],
    ['profile.json', { bio: { text: 'Sailor' }, updated_by: 'ann', updates: [{ text: 'Hi', id: 1 }] }],
    ['posts.json', [{ timestamp: 1, title: 'Ann was here' }]],
    ['photo.jpg', Buffer.from([0xff, 0xd8])],
    ['notes.txt', 'Remember the milk'],
  ])('%s does not look like chat', async (path, content) => {
    expect(await reasonOf({ [path]: content }, path)).toBeUndefined();
  });

  it('keeps the reason that its source gave', async () => {
    const entry = { type: 'file', path: 'a.json', role: 'unknown', reason: 'Known' } as const;
    expect(await new UnreadChats(memoryInput({ 'a.json': [] }), slack).judge(entry)).toEqual(entry);
  });
});
