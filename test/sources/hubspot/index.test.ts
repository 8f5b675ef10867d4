import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import { hubspot } from '../../../src/sources/hubspot/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf, readAll } from '../../contracts/source/check.ts';

const message = (id: string, more: object = {}) => ({
  ...{ id, conversationsThreadId: '1', createdAt: '2026-03-02T09:00:00Z', createdBy: 'V-7', type: 'MESSAGE' },
  ...{ senders: [{ actorId: 'V-7', name: 'Ines' }], recipients: [], archived: false, text: `Text ${id}` },
  ...{ attachments: [], truncationStatus: 'NOT_TRUNCATED', ...more },
});
const more = { next: { after: 'MQ', link: 'https://example.com?after=MQ' } };

const read = (files: Readonly<Record<string, unknown>>) => readAll(hubspot, memoryInput(files));
const said = (entries: readonly Entry[], code: string) =>
  entries.flatMap((entry) => ('code' in entry && entry.code === code ? [entry.reason] : []));
const texts = (entries: readonly Entry[]) => messagesOf(entries).map(({ text }) => text);

describe('a text that is not whole', () => {
  const cut = message('m1', { text: 'The begin', richText: '<p>The begin</p>', truncationStatus: 'TRUNCATED' });

  it('is named, whatever it says of how much there is', async () => {
    const odd = message('m2', { truncationStatus: { is: 'odd' } });
    const entries = await read({ 'a.json': { results: [cut, odd] } });
    expect(said(entries, 'hubspot-truncated')).toEqual([
      'Expected the whole text, found "truncationStatus" "TRUNCATED"',
      'Expected the whole text, found "truncationStatus" an object',
    ]);
    expect(texts(entries)).toEqual(['The begin', 'Text m2']);
  });

  it('is whole if its original content has the id of the message in its path, and rows keep their order', async () => {
    const entries = await read({
      'a.json': { results: [cut, message('m2')] },
      'threads/1/messages/m1/original-content.json': { text: 'The beginning and the end', richText: null },
    });
    expect(texts(entries)).toEqual(['The beginning and the end', 'Text m2']);
    expect(said(entries, 'hubspot-truncated')).toEqual([]);
    expect(said(entries, 'hubspot-not-migrated')).toEqual([]);
  });

  it('takes no original content that is of another message: that is named', async () => {
    const entries = await read({ 'a.json': { results: [cut] }, 'm11.json': { text: 'Another' } });
    expect(texts(entries)).toEqual(['The begin']);
    expect(said(entries, 'hubspot-not-migrated')).toEqual(['The path names no message whose text is not whole']);
  });
});

describe('the author of a message', () => {
  const authors = async (row: object) =>
    messagesOf(await read({ 'a.json': { results: [row] } })).map((one) => one.author);

  it('is its sender, and not whoever made the row', async () => {
    expect(await authors(message('m1', { createdBy: 'S-hubspot' }))).toEqual(['V-7']);
  });

  it('is an address if the sender is no actor', async () => {
    const senders = [{ deliveryIdentifier: { type: 'HS_EMAIL_ADDRESS', value: 'mia@example.com' } }];
    expect(await authors(message('m1', { senders, createdBy: 'S-hubspot' }))).toEqual(['E-mia@example.com']);
  });

  it('keeps its name if other rows have the id alone', async () => {
    const entries = await read({
      'a.json': { results: [message('m1')] },
      'b.json': { results: [message('m2', { senders: [{ actorId: 'V-7' }] })] },
    });
    const names = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'user' ? [entry.record.name] : [],
    );
    expect(names).toEqual(['Ines']);
  });

  it('has no address if it is that of the inbox', async () => {
    const senders = [
      { actorId: 'A-7', name: 'Bo', deliveryIdentifier: { type: 'HS_EMAIL_ADDRESS', value: 'desk@example.com' } },
    ];
    const entries = await read({ 'a.json': { results: [message('m1', { senders })] } });
    expect(JSON.stringify(entries)).not.toContain('desk@example.com');
  });
});

describe('an export that is not whole', () => {
  it('has a thread of which every page goes on, whatever the pages of other threads say', async () => {
    const entries = await read({
      'messages-1.json': { results: [message('m1')], paging: more },
      'messages-2.json': { results: [message('m2', { conversationsThreadId: '2' })] },
    });
    expect(said(entries, 'export-is-partial')).toEqual([
      '"next" is "MQ": more follows, and no page of the export is the last one',
    ]);
  });

  it('is whole if one page of the thread is the last', async () => {
    const entries = await read({
      'messages-1.json': { results: [message('m1')], paging: more },
      'messages-2.json': { results: [message('m2')] },
    });
    expect(said(entries, 'export-is-partial')).toEqual([]);
  });

  it('says that each of its lines goes on', async () => {
    const line = JSON.stringify({ results: [message('m1')], paging: more });
    const entries = await read({ 'a.ndjson': `${line}\n${line.replaceAll('m1', 'm2')}\n` });
    expect(messagesOf(entries).length).toBe(2);
    expect(said(entries, 'export-is-partial').length).toBe(1);
  });
});

it('a message with a list of results is a message still', async () => {
  const rows = [message('m1'), message('m2', { results: [] }), message('m3', { results: [{}] })];
  const lines = rows.map((row) => JSON.stringify(row)).join('\n');
  for (const content of [{ results: rows }, rows, lines, [{ results: rows, paging: {} }]])
    expect(texts(await read({ 'a.json': content }))).toEqual(['Text m1', 'Text m2', 'Text m3']);
});

it('a comment is internal, and a row of an unknown type with a text is invalid', async () => {
  const rows = [
    message('m1', { type: 'COMMENT' }),
    message('m2', { type: 'comment' }),
    message('m3', { type: 'RATING', text: '' }),
  ];
  const entries = await read({ 'a.json': { results: rows } });
  expect(messagesOf(entries).map(({ internal, systemEvent }) => internal ?? systemEvent)).toEqual(['note', 'rating']);
  expect(said(entries, 'hubspot-unclear-visibility')).toEqual([
    'Expected a row with content to be a MESSAGE or a COMMENT, found "comment"',
  ]);
});
