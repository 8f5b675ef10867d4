import { describe, expect, it } from 'vitest';
import { fold, logOf } from '../../../src/sources/irc/logs.ts';

const nowhere = { network: '', nick: '' };

/** Conversation and day, or why there is none. */
function shown(path: string, surroundings = nowhere) {
  const log = logOf(path, surroundings);
  if (!log || 'skip' in log) return log && 'skipped';
  const day = log.dayMs === undefined ? '' : ` ${new Date(log.dayMs).toISOString().slice(0, 10)}`;
  return `${log.conversation.type} ${log.conversation.id}${day}`;
}

describe('logOf()', () => {
  it.each([
    ['#harbour.log', 'private #harbour'],
    ['tidenet/#harbour.log', 'private tidenet/#harbour'],
    ['logs/TideNet/#Harbour.LOG.gz', 'private tidenet/#harbour'],
    ['tidenet/#node.js.log', 'private tidenet/#node.js'],
    ['tidenet/#harbour.03-02.log', 'private tidenet/#harbour'],
    ['tidenet/#harbour.2026-03.log', 'private tidenet/#harbour'],
    ['tidenet/#harbour.20260302.log', 'private tidenet/#harbour 2026-03-02'],
    ['tidenet/#harbour/2026-03-02.log', 'private tidenet/#harbour 2026-03-02'],
    ['ann/tidenet/#harbour/20260302.log', 'private tidenet/#harbour 2026-03-02'],
    ['ann_tidenet_#har_bour_20260302.log', 'private tidenet/#har_bour 2026-03-02'],
    ['irc.tidenet.#node.js.weechatlog', 'private tidenet/#node.js'],
    ['irc.tidenet.#harbour.2026-03-02.weechatlog', 'private tidenet/#harbour 2026-03-02'],
    ['tidenet/ines.log', 'direct tidenet/ines'],
    ['#harbour_20261399.log', 'private #harbour'],
    ['#harbour', 'private #harbour'],
  ])('reads %s as %s', (path, log) => {
    expect(shown(path)).toBe(log);
  });

  it.each([
    ['tidenet/status.log'],
    ['tidenet/status/2026-03-02.log'],
    ['tidenet/*status/2026-03-02.log'],
    ['core.weechat.weechatlog'],
    ['irc.server.tidenet.weechatlog'],
  ])('leaves out %s', (path) => expect(shown(path)).toBe('skipped'));

  it.each([['notes.txt'], ['tidenet/readme.md'], ['log']])('does not know %s', (path) =>
    expect(shown(path)).toBeUndefined(),
  );

  it('takes the network that it is told where the path has none, and the nick for queries', () => {
    const told = { network: 'TideNet', nick: 'Tomasz' };
    expect(shown('#harbour.log', told)).toBe('private tidenet/#harbour');
    expect(shown('other/#harbour.log', told)).toBe('private other/#harbour');
    expect(logOf('Ines.log', told)).toMatchObject({ conversation: { type: 'direct', members: ['tomasz', 'ines'] } });
  });
});

describe('fold()', () => {
  it('has one spelling for each nick', () => {
    expect(fold('Ines[Away]\\~')).toBe('ines{away}|^');
  });
});
