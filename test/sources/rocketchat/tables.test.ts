import { describe, expect, it } from 'vitest';
import { rocketchat } from '../../../src/sources/rocketchat/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';

describe('tables of Rocket.Chat', () => {
  it('describe people before the channels that name them, whatever the order of the files', async () => {
    const input = memoryInput({
      'channels.csv': '"general","ines","public","ines;tomasz"\n',
      'users.csv': '"ines","ines@example.com","Ines Moor"\n"tomasz","tomasz@example.com","Tomasz"\n',
      'general/messages.csv': '"ines","1772442900000","hello"\n',
    });
    const context = { signal: new AbortController().signal, wants: () => true };
    const entries = (await Array.fromAsync(rocketchat.read(input, {}, context))).flat();
    expect(entries.flatMap((entry) => (entry.type === 'record' ? [entry.record.kind] : []))).toEqual([
      'user',
      'user',
      'conversation',
      'message',
    ]);
  });
});
