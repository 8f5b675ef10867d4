import type { ViewerState } from '../shapes.ts';

/** What a program of another version answered is no state: a page drawn from it would fail, and ask again with each answer. */
export class MalformedState extends Error {
  constructor() {
    super('The program answered something that this page does not know: reload the page, or start the program again');
  }
}

/** @throws MalformedState if the answer lacks what the page is drawn from. */
export function checkViewerState(answer: Partial<ViewerState> | null): ViewerState {
  const { newest, totals } = answer ?? {};
  const hasTotals = totals === null || typeof totals?.messages === 'number';
  if (typeof newest !== 'string' || !hasTotals) throw new MalformedState();
  return answer as ViewerState;
}
