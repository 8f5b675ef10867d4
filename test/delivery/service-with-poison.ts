import type { Sending, Sent } from '../scenes/bench.ts';
import { alteringService, type AlteringService, errorBody, itemsOf } from './altering-service.ts';

/** Result of a request that holds a message which breaks the service. */
export type Harm =
  /** The others are stored, and then it breaks: what the hosted service has been seen to do. */
  | 'breaks after the others'
  /** Nothing is stored, and it says so. */
  | 'refuses all'
  /** Nothing is stored, and the connection is gone. */
  | 'hangs up';

export const harms: readonly Harm[] = ['breaks after the others', 'refuses all', 'hangs up'];

/** A sandbox that cannot bear some messages, each with its harm. */
function serviceWithPoison(template: string, harmOf: (muid: string) => Harm | undefined): AlteringService {
  return alteringService(template, (request, handle) => {
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
}

type Run = Sent & {
  /** Requests of this run and of those before it. */
  readonly imports: number;
};

/** A run, and another one in which the user has decided to give up what stays unanswered. */
export async function sendTo(
  template: string,
  harmOf: (muid: string) => Harm | undefined,
  sending: Partial<Sending> = {},
): Promise<readonly [run: Run, decided: Run]> {
  const scene = serviceWithPoison(template, harmOf);
  const run = async (decision: Partial<Sending>) => ({
    ...(await scene.send({ ...sending, ...decision })),
    imports: scene.imports.length,
  });
  try {
    return [await run({}), await run({ oneByOne: true })];
  } finally {
    scene.close();
  }
}

/**
 * Further requests that one such message costs. If the service reports the refusal: two for each of six halvings. If it
 * does not: five for the batch again, then those halvings, and seven for the message alone; without the halvings if the
 * others are stored.
 */
export const furtherMax: Readonly<Record<Harm, number>> = {
  'refuses all': 12,
  'hangs up': 24,
  'breaks after the others': 12,
};
