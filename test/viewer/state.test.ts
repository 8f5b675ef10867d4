import { describe, expect, it } from 'vitest';
import { MalformedState, checkViewerState } from '../../src/viewer/page/state.ts';

describe('checkViewerState()', () => {
  const state = { newest: '12', totals: { conversations: 1, messages: 12 }, run: null };

  it.each([
    ['with messages', state],
    ['before anything has arrived', { ...state, totals: null }],
  ])('takes a state %s', (_, answer) => {
    expect(checkViewerState(answer)).toBe(answer);
  });

  it.each<[string, object | null]>([
    ['nothing', null],
    ['an empty object', {}],
    ['a state without totals', { newest: '12' }],
    ['totals without messages', { ...state, totals: {} }],
    ['a newest message that is no id', { ...state, newest: { id: '12' } }],
  ])('refuses %s: the page would fail to draw it, again and again', (_, answer) => {
    expect(() => checkViewerState(answer)).toThrow(MalformedState);
  });
});
