import type { Store } from '../checkpoint/open.ts';
import type { ReadFile } from '../checkpoint/totals.ts';
import { formatLocation } from '../lib/text/location.ts';
import { locationOf, openAgain, type PlacedMessage } from './records-at.ts';

/** Whether a message was read from a database: its place there is no piece of a text. */
export const isDatabaseOf = (store: Store, { inputSource }: Pick<PlacedMessage, 'inputSource'>): boolean =>
  (inputSource ?? store.readMeta('source')) === 'database';

interface RowOptions {
  readonly files: readonly ReadFile[];
  readonly exports: readonly string[];
  /** Size of the largest file that is read from its beginning, or copied, to find a row. */
  readonly bytesMax: number;
}

/**
 * Returns the columns of the row that became a message, as JSON; undefined if it is gone, its file has changed, or it is not found within
 * the limits.
 *
 * @param exports As they are configured, to ask a server again.
 */
export async function rowOfDatabase(
  store: Store,
  message: Omit<PlacedMessage, 'muid'>,
  { files, exports, bytesMax }: RowOptions,
): Promise<string | undefined> {
  const location = locationOf(message.location, message.path);
  const file = files.find(({ path }) => path === message.path);
  if (location === undefined || file === undefined) return undefined;
  let row: string | undefined;
  const again = { exports, signal: new AbortController().signal };
  await openAgain(store, [{ ...message, muid: null }], again, async ({ adapter, input, options }) => {
    const { fingerprint } = await input.stat(file.path);
    // Nothing says whether a server has changed.
    if (input.server === undefined && fingerprint !== file.fingerprint) return;
    const found = await adapter.rowsAt?.(input, options, [location], bytesMax);
    const columns = found?.get(formatLocation(location));
    if (columns !== undefined) row = JSON.stringify(Object.fromEntries(columns));
  });
  return row;
}
