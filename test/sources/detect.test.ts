import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { detectSource } from '../../src/sources/detect.ts';
import type { Probe, SourceAdapter } from '../../src/sources/source.ts';
import { memoryInput } from '../contracts/memory-input.ts';

const adapter = (name: string, probe: Probe): SourceAdapter => ({
  name,
  title: name,
  options: z.strictObject({}),
  probe: async () => probe,
  async *read() {},
});

describe('detectSource()', () => {
  it('ranks the certain before the likely and leaves out the rest', async () => {
    const adapters = [
      adapter('a', { match: 'likely', because: 'looks like it' }),
      adapter('b', { match: 'no' }),
      adapter('c', { match: 'certain', because: 'sure' }),
      adapter('d', { match: 'likely', because: 'might be' }),
    ];
    const detected = await detectSource(memoryInput({}), adapters);
    expect(detected.map(({ adapter: { name }, match, because }) => [name, match, because])).toEqual([
      ['c', 'certain', 'sure'],
      ['a', 'likely', 'looks like it'],
      ['d', 'likely', 'might be'],
    ]);
  });

  it('recognises a Slack export by its lists, or likely by its messages alone', async () => {
    const day = [{ ts: '1700000000.000100', text: 'hi' }];
    const [listed] = await detectSource(memoryInput({ 'channels.json': [{ id: 'C0GENERAL1' }], 'users.json': [] }));
    expect(listed).toMatchObject({
      adapter: { name: 'slack' },
      match: 'certain',
      because: '"channels.json", "users.json" at the top',
    });
    const [unlisted] = await detectSource(memoryInput({ 'general/2024-01-01.json': day }));
    expect(unlisted).toMatchObject({ adapter: { name: 'slack' }, match: 'likely' });
  });

  it('asks for the names once, and for the beginning of a file once, however many sources look at it', async () => {
    const days = Array.from({ length: 50 }, (_, day) => [`general/${2000 + day}-01-01.json`, [{ text: 'hi' }]]);
    const input = memoryInput({ ...Object.fromEntries(days), 'notes.txt': 'hi', 'page.html': '<p>' });
    const asked: string[] = [];
    const watched: typeof input = {
      ...input,
      paths() {
        asked.push('names');
        return input.paths();
      },
      head(path, byteCount) {
        asked.push(path);
        return input.head(path, byteCount);
      },
    };
    expect((await detectSource(watched)).map(({ adapter: { name } }) => name)).toEqual(['json']);
    expect(asked).toContain('general/2000-01-01.json');
    expect(asked).toEqual([...new Set(asked)]);
  });
});
