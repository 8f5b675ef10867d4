import { describe, expect, it } from 'vitest';
import { createRunFeed } from '../../src/cli/move/view-import.ts';
import { silent } from '../../src/lib/flow/progress.ts';

function setUp() {
  let nowMs = 1_000;
  const drawn: string[] = [];
  const shown = {
    log() {},
    close() {},
    stage: (name: string) => ({
      update: ({ done }: { readonly done: number }) => void drawn.push(`${name} ${done}`),
      finish: (summary?: string) => void drawn.push(`${name} ends: ${summary}`),
    }),
  };
  const feed = createRunFeed(shown, { monotonic: () => nowMs });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { feed, drawn, pass };
}

describe('createRunFeed()', () => {
  it('has no stage before the first, also where nothing is drawn', () => {
    expect(setUp().feed.stages()).toEqual([]);
    const quiet = createRunFeed({ ...silent, log() {}, close() {} }, { monotonic: () => 0 });
    quiet.stage('Reading').update({ done: 1 });
    expect(quiet.stages()).toMatchObject([{ name: 'Reading', done: 1 }]);
  });

  it('forwards all calls, and reports the position, speed and remaining work of each stage', () => {
    const { feed, drawn, pass } = setUp();
    const reading = feed.stage('Reading');
    pass(1_000);
    reading.update({ done: 500, note: 'day files' });
    pass(1_000);
    reading.update({ done: 1_000, total: 3_000, note: 'day files' });
    expect(feed.stages()).toEqual([
      {
        ...{ name: 'Reading', done: 1_000, total: 3_000, perSecond: 500, etaMs: 4_000, waiting: null },
        ...{ note: 'day files', summary: null },
      },
    ]);
    expect(drawn).toEqual(['Reading 500', 'Reading 1000']);
  });

  it('counts a wait down, and forgets it once it is over', () => {
    const { feed, pass } = setUp();
    const sending = feed.stage('Sending', { total: 10 });
    sending.update({ done: 3, waiting: 'the service asks us to (429)', waitMs: 5_000 });
    pass(2_000);
    expect(feed.stages()[0]!.waiting).toEqual({ reason: 'the service asks us to (429)', ms: 3_000 });
    pass(3_000);
    expect(feed.stages()[0]!.waiting).toBe(null);
  });

  it('keeps what has ended with its time and its words', () => {
    const { feed, drawn, pass } = setUp();
    const reading = feed.stage('Reading');
    reading.update({ done: 7 });
    pass(700);
    reading.finish('7 messages');
    pass(9_000);
    feed.stage('Sending', { total: 7 });
    expect(feed.stages()).toMatchObject([
      { name: 'Reading', done: 7, perSecond: null, etaMs: null, summary: '7 messages' },
      { name: 'Sending', done: 0, total: 7, summary: null },
    ]);
    expect(drawn.at(-1)).toBe('Reading ends: 7 messages');
  });
});
