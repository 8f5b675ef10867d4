import { describe, expect, it } from 'vitest';
import { ignoring, withoutIgnored } from '../../src/plan/ignored-files.ts';
import { detectSource } from '../../src/sources/detect.ts';
import { memoryInput } from '../contracts/memory-input.ts';

describe('withoutIgnored()', () => {
  it('gives the same list each time, so that sources keep what they made of it', async () => {
    const input = withoutIgnored(memoryInput({ 'a.json': [], 'b.json': [] }), ignoring(['a*']));
    expect(await input.paths()).toEqual(['b.json']);
    expect(await input.paths()).toBe(await input.paths());
  });

  it('keeps nothing of its own if no file is ignored', async () => {
    const paths = ['a.json', 'b.json'];
    const input = withoutIgnored({ ...memoryInput({}), paths: async () => paths }, ignoring(['c*']));
    expect(await input.paths()).toBe(paths);
  });

  it('leaves a source to be detected by files that are like many ignored ones', async () => {
    const folder = (number: number) => `Messages/c1477000000000000${100 + number}`;
    const rows = [{ ID: 1477000000000000, Timestamp: '2026-03-02 09:00:00', Contents: 'Hi', Attachments: '' }];
    const files = Array.from({ length: 60 }, (_, number) => [
      [`${folder(number)}/channel.json`, { id: String(number), type: 'DM' }],
      [`${folder(number)}/messages.json`, rows],
    ]).flat();
    const ignored = Array.from({ length: 50 }, (_, number) => `${folder(number)}/*`);
    const input = withoutIgnored(memoryInput(Object.fromEntries(files)), ignoring(ignored));
    const [best] = await detectSource(input);
    expect(best?.adapter.name).toBe('discord');
    expect(best?.because).toContain(`"${folder(50)}/messages.json"`);
  });
});
