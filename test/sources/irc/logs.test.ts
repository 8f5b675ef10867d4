import { describe, expect, it } from 'vitest';
import { fold, readLogName } from '../../../src/sources/irc/logs.ts';

/** Conversation and day, or why there is none. */
function shown(path: string) {
  const log = readLogName(path);
  if (!log || 'skip' in log) return log && 'skipped';
  const day = log.dayMs === undefined ? '' : ` ${new Date(log.dayMs).toISOString().slice(0, 10)}`;
  return `${log.network === '' ? '' : `${log.network}/`}${fold(log.window)}${day}${log.zone ?? ''}`;
}

describe('readLogName()', () => {
  it.each([
    ['#harbour.log', '#harbour'],
    ['tidenet/#harbour.log', 'tidenet/#harbour'],
    ['logs/TideNet/#Harbour.LOG.gz', 'tidenet/#harbour'],
    ['tidenet/#node.js.log', 'tidenet/#node.js'],
    ['tidenet/#harbour.03-02.log', 'tidenet/#harbour'],
    ['tidenet/#harbour.2026-03.log', 'tidenet/#harbour'],
    ['tidenet/#harbour.20260302.log', 'tidenet/#harbour 2026-03-02'],
    ['tidenet/#harbour/2026-03-02.log', 'tidenet/#harbour 2026-03-02'],
    ['ann/tidenet/#harbour/20260302.log', 'tidenet/#harbour 2026-03-02'],
    ['ann_tidenet_#har_bour_20260302.log', 'tidenet/#har_bour 2026-03-02'],
    ['irc.tidenet.#node.js.weechatlog', 'tidenet/#node.js'],
    ['irc.tidenet.#harbour.2026-03-02.weechatlog', 'tidenet/#harbour 2026-03-02'],
    ['tidenet/ines.log', 'tidenet/ines'],
    ['#harbour_20261399.log', '#harbour'],
    ['#harbour', '#harbour'],
    ['2026-03-02-harbour.log', 'harbour 2026-03-02'],
    ['tidenet/#harbour/#harbour.2026-03-02.log', 'tidenet/#harbour 2026-03-02'],
    ['tidenet/#harbour/#harbour.02-Mon-2026.log', 'tidenet/#harbour'],
    ['tidenet/#harbour/2026/03-02.log', 'tidenet/#harbour 2026-03-02'],
    ['tidenet/2026/03/#harbour.log', 'tidenet/#harbour'],
    ['2026/03/02/#harbour.txt', '#harbour 2026-03-02'],
    ['tidenet/channels/#harbour.2026-03-02.log', 'tidenet/#harbour 2026-03-02'],
    ['TideNet (1A2B3)/Queries/ines/2026-03-02.txt', 'tidenet (1a2b3)/ines 2026-03-02'],
    ['tidenet/#harbour.log.20260302', 'tidenet/#harbour 2026-03-02'],
    ['ann/tidenet/#harbour/2026-03-02.log.txt', 'tidenet/#harbour 2026-03-02'],
    ['tidenet_#harbour.log', 'tidenet/#harbour'],
    ['channel_#harbour.tidenet_2026.03.02.log', 'tidenet/#harbour 2026-03-02'],
    ['#harbour/2026-03-02_tidenet.txt', 'tidenet/#harbour 2026-03-02'],
    ['Talk/ines_2026-03-02_tidenet.txt', 'tidenet/ines 2026-03-02'],
    [
      'irc/ines@irc.example.com/#harbour.chat/2026-03-02.091455+0100CET.txt',
      'irc.example.com/#harbour 2026-03-02+01:00',
    ],
    ['harbour.2026-03-02-18.00.log.txt', 'harbour 2026-03-02'],
    ['02-harbour-irc.txt', 'harbour'],
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

  it('takes a text for a log only if its lines are', () => {
    expect([readLogName('notes.txt'), readLogName('#harbour.txt')]).toMatchObject([
      { isNamedLikeLog: false },
      { isNamedLikeLog: true },
    ]);
  });

  it.each([['tidenet/readme.md'], ['log']])('does not know %s', (path) => expect(shown(path)).toBeUndefined());
});

describe('fold()', () => {
  it('has one spelling for each nick', () => {
    expect(fold('Ines[Away]\\~')).toBe('ines{away}|^');
  });
});
