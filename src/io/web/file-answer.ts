import type { Dispatcher } from 'undici';

/** Redirects that are followed for one file. */
export const redirectsMax = 3;

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number): boolean => redirects.has(status);

/** Translates the status of an answer into the state of the file behind an address. `later`: the same request may work at another time. */
export function fileStatus(status: number): 'there' | 'elsewhere' | 'login' | 'later' | 'missing' {
  if (status === 408 || status === 425 || status === 429 || status >= 500) return 'later';
  if (status === 401 || status === 403 || status === 407) return 'login';
  if (status >= 400) return 'missing';
  return status >= 200 && status < 300 ? 'there' : 'elsewhere';
}

/** Drops the rest of a body; its errors no longer matter. */
export function dropBody(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {});
  body.destroy();
}
