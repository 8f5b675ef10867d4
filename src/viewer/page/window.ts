import type { MessagePage } from '../shapes.ts';

/** Messages that are asked for at once; of those around a place that is jumped to, fewer: enough for a screen, and soon drawn. */
export const pageSize = 60;
export const jumpSize = 36;

/** Those that are kept: a conversation may have a million. */
const keptMax = 240;

export type Window = MessagePage;

export const endOf = ({ from, rows }: Window): number => from + rows.length;

/** With the page that comes before it or behind it; what is far away at the other end goes. */
export function joined(window: Window, page: MessagePage): Window {
  const isBefore = page.from < window.from;
  const rows = isBefore
    ? [...page.rows.slice(0, window.from - page.from), ...window.rows].slice(0, keptMax)
    : [...window.rows, ...page.rows.slice(endOf(window) - page.from)];
  const dropped = isBefore ? 0 : Math.max(0, rows.length - keptMax);
  return {
    from: isBefore ? page.from : window.from + dropped,
    total: page.total,
    rows: rows.slice(dropped),
    people: { ...window.people, ...page.people },
    roots: { ...window.roots, ...page.roots },
  };
}
