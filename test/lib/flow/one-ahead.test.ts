import { describe, expect, it } from 'vitest';
import { oneAhead } from '../../../src/lib/flow/one-ahead.ts';

describe('oneAhead()', () => {
  it('requests the next item before the current one is used', async () => {
    const story: string[] = [];
    for await (const page of oneAhead(pages(story, 3))) story.push(`look ${page}`);
    expect(story).toEqual(['ask 1', 'ask 2', 'look 1', 'ask 3', 'look 2', 'end', 'look 3']);
  });

  it('reports the error of an item at its turn', async () => {
    const story: string[] = [];
    const read = async () => {
      for await (const page of oneAhead(pages(story, 3, 2))) story.push(`look ${page}`);
    };
    await expect(read()).rejects.toThrow('no 2');
    expect(story).toEqual(['ask 1', 'ask 2', 'end', 'look 1']);
  });

  it('ends its input when the consumer stops, whatever the result of the requested item', async () => {
    const story: string[] = [];
    for await (const page of oneAhead(pages(story, 3, 2))) if (page === 1) break;
    expect(story).toEqual(['ask 1', 'ask 2', 'end']);
  });
});

async function* pages(story: string[], count: number, broken?: number): AsyncGenerator<number> {
  try {
    for (let page = 1; page <= count; page++) {
      story.push(`ask ${page}`);
      if (page === broken) throw new Error(`no ${page}`);
      yield page;
    }
  } finally {
    story.push('end');
  }
}
