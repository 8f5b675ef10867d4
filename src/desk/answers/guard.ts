import type { FrontRequest } from '../../viewer/front.ts';

/**
 * Returns why a request that changes something is refused; undefined if the page itself sent it.
 *
 * A page from elsewhere cannot send these headers together: another origin, or the header of our own, makes the browser
 * ask first, and that question is answered with a refusal.
 */
export function refuseWrite({ headers }: Pick<FrontRequest, 'headers'>): string | undefined {
  if (headers.origin !== `http://${headers.host}`) return 'The desk is changed by its own page alone';
  if (headers['sec-fetch-site'] !== 'same-origin') return 'The desk is changed by its own page alone';
  if (headers['x-chatferry'] !== 'desk') return 'The desk is changed by its own page alone';
  if (!types.includes(headers['content-type'] ?? '')) return 'The desk takes JSON, bytes and CSV alone';
  return undefined;
}

/** None of them can be sent by a form. */
const types: readonly string[] = ['application/json', 'application/octet-stream', 'text/csv'];
