import type { Sending, Sent } from '../scenes/bench.ts';
import { bentService, errorBody, itemsOf } from './bent-service.ts';

/** What a request comes to that holds a message which the service cannot bear. */
export type Harm =
  /** The others are stored, and then it breaks: what the public service has been seen to do. */
  | 'breaks after the others'
  /** Nothing is stored, and it says so. */
  | 'refuses all'
  /** Nothing is stored, and the connection is gone. */
  | 'hangs up';

export const harms: readonly Harm[] = ['breaks after the others', 'refuses all', 'hangs up'];

/** A sandbox that cannot bear some messages, each with its harm. */
export async function sendTo(
  template: string,
  harmOf: (muid: string) => Harm | undefined,
  sending: Partial<Sending> = {},
): Promise<Sent & { readonly imports: number }> {
  const scene = bentService(template, (request, handle) => {
    const items = itemsOf(request);
    const harm = Object.keys(items)
      .map(harmOf)
      .find((one) => one !== undefined);
    if (!harm) return handle(request);
    if (harm === 'hangs up') throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    if (harm === 'refuses all') return errorBody(400, 'ERR_BAD_REQUEST');
    const others = Object.entries(items).filter(([muid]) => !harmOf(muid));
    const body = JSON.stringify({ messages: Object.fromEntries(others) });
    if (others.length > 0) handle({ ...request, body });
    return errorBody(500, 'ERR_EXCEPTION');
  });
  try {
    return { ...(await scene.send(sending)), imports: scene.imports.length };
  } finally {
    scene.close();
  }
}

/**
 * One for the whole batch again, two for each of six halvings, one for the message alone: 2 * log2(50) + 3, rounded down; and a few for the
 * message alone, where so few others were answered that the destination may as well be sick.
 */
export const furtherMax = { usual: 15, amongFew: 19 };
