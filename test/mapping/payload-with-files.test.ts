import { describe, expect, it } from 'vitest';
import { factsWithFiles, listPayloadFiles, payloadWithFiles } from '../../src/mapping/payload.ts';

const rules = { attachments: 'keep', onlyFiles: 'name' } as const;
const photo = { name: 'a.jpg', extension: 'jpg', mimeType: 'image/jpeg', url: 'https://old.example/a.jpg' };
const copied = { kind: 'copied', url: 'https://new.example/1.jpg', mimeType: 'image/jpeg', sizeBytes: 3 } as const;

function payload(text: string, attachments: object[], files: object[] = []) {
  return JSON.stringify({
    category: 'message',
    type: attachments.length > 0 ? 'image' : 'text',
    data: {
      text,
      ...(attachments.length > 0 && { attachments }),
      metadata: { chatferry: { v: 1, key: 'm1', ...(files.length > 0 && { files }) }, own: 'x' },
    },
    tags: ['t'],
  });
}

const inExport = JSON.stringify([{ path: 'photos/b.png', name: 'b.png', mimeType: 'image/png', size: '9' }]);
const named = [{ name: 'b.png', why: 'not a web address' }];

describe('payloadWithFiles()', () => {
  it('puts the new address, type and size in the place of the old ones, and leaves everything else', () => {
    const planned = payload('look', [photo]);
    const made = payloadWithFiles(planned, listPayloadFiles(planned, null), [copied], rules);
    expect(JSON.parse(made)).toEqual({
      ...JSON.parse(planned),
      data: {
        text: 'look',
        attachments: [{ ...photo, url: copied.url, size: '3' }],
        metadata: { chatferry: { v: 1, key: 'm1' }, own: 'x' },
      },
    });
  });

  it('attaches a file of the export, and takes its name out of text and metadata', () => {
    const planned = payload('📎 b.png', [], named);
    const files = listPayloadFiles(planned, inExport);
    const made = JSON.parse(payloadWithFiles(planned, files, [{ ...copied, mimeType: 'image/png' }], rules));
    expect(made.type).toBe('image');
    expect(made.data.text).toBe('');
    expect(made.data.attachments).toEqual([
      { name: 'b.png', extension: 'png', mimeType: 'image/png', size: '3', url: copied.url },
    ]);
    expect(made.data.metadata.chatferry).toEqual({ v: 1, key: 'm1' });
  });

  it('keeps attachments added by a module, and their own keys', () => {
    const own = { ...photo, name: 'own.jpg', frame: 'oak' };
    const planned = payload('', [photo, own], named);
    const order = JSON.stringify([...(JSON.parse(inExport) as object[]), 0]);
    const files = listPayloadFiles(planned, order);
    const made = JSON.parse(payloadWithFiles(planned, files, [copied, { kind: 'original' }, copied], rules));
    expect(made.data.attachments).toEqual([
      { name: 'b.png', extension: 'png', mimeType: 'image/jpeg', size: '3', url: copied.url },
      photo,
      { ...own, size: '3', url: copied.url },
    ]);
  });

  it('keeps the order of the export, with files of both kinds', () => {
    const order = JSON.stringify([{ path: 'b.png', name: 'b.png', mimeType: '' }, 0]);
    const planned = payload('two', [photo], named);
    const files = listPayloadFiles(planned, order);
    const made = JSON.parse(payloadWithFiles(planned, files, [copied, { kind: 'original' }], rules));
    expect(made.data.attachments.map(({ name }: { name: string }) => name)).toEqual(['b.png', 'a.jpg']);
  });

  it('names missing files with the reason, and adds a line of text if the message has no other content', () => {
    const planned = payload('', [photo]);
    const made = JSON.parse(
      payloadWithFiles(planned, listPayloadFiles(planned, null), [{ kind: 'name', why: 'it is gone' }], rules),
    );
    expect(made).toMatchObject({ type: 'text', data: { text: '📎 a.jpg' } });
    expect(made.data).not.toHaveProperty('attachments');
    expect(made.data.metadata.chatferry.files).toEqual([{ name: 'a.jpg', why: 'it is gone' }]);
  });

  it('keeps a line for each file that is not attached if the mapping asks for lines', () => {
    const order = JSON.stringify([
      { path: 'b.png', name: 'b.png', mimeType: '' },
      { path: 'c.png', name: 'c.png', mimeType: '' },
    ]);
    const both = [...named, { name: 'c.png', why: 'not a web address' }];
    const planned = payload('see\n📎 b.png\n📎 c.png', [], both);
    const settled = [copied, { kind: 'original' }] as const;
    const lines = { attachments: 'placeholder', onlyFiles: 'name' } as const;
    const made = JSON.parse(payloadWithFiles(planned, listPayloadFiles(planned, order), settled, lines));
    expect(made.data.text).toBe('see\n📎 c.png');
    expect(made.data.metadata.chatferry.files).toEqual([{ name: 'c.png', why: 'not a web address' }]);
  });

  it('notes width and height by the number of the attachment', () => {
    const planned = payload('x', [photo]);
    const picture = { width: 4, height: 2 };
    const made = JSON.parse(
      payloadWithFiles(planned, listPayloadFiles(planned, null), [{ ...copied, picture }], rules),
    );
    expect(made.data.metadata.chatferry.media).toEqual([{ file: 0, width: 4, height: 2 }]);
  });

  it('leaves the type of a message of its own kind alone', () => {
    const planned = JSON.stringify({ category: 'custom', type: 'location', data: { attachments: [photo] } });
    const made = JSON.parse(payloadWithFiles(planned, listPayloadFiles(planned, null), [copied], rules));
    expect(made.type).toBe('location');
  });
});

describe('factsWithFiles()', () => {
  it('counts files that are now attached, and no longer as files without an address', () => {
    const before = payload('📎 b.png', [], named);
    const after = payloadWithFiles(before, listPayloadFiles(before, inExport), [copied], rules);
    expect(factsWithFiles({ filesWithoutAddress: 1, onlyFiles: 1, reactions: 2 }, before, after)).toEqual({
      attachments: 1,
      reactions: 2,
    });
  });
});
