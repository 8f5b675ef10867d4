import { serveViewer } from '../../src/sandbox/serve.ts';
import { createFront, json } from '../../src/viewer/front.ts';
import { type MadeState, madeAnswers, Refusal } from './made-desk-answers.ts';

export type { MadeState } from './made-desk-answers.ts';

/** A request that changed something. */
interface Sent {
  readonly route: string;
  readonly body: unknown;
}

export interface MadeDesk {
  /** Lets one browser in. */
  readonly entrance: () => string;
  readonly origin: string;
  readonly sent: readonly Sent[];
  close(): Promise<void>;
}

/** The desk's page with answers that never change, for tests of the page alone: nothing is read, and nothing is done. */
export async function serveMadeDesk(state: MadeState): Promise<MadeDesk> {
  const sent: Sent[] = [];
  const answers = madeAnswers(state);
  const page = createFront({
    name: 'desk',
    base: '/desk/chats',
    methods: ['GET', 'POST', 'PUT'],
    answer: async ({ method, path, search, body }) => {
      const route = `${method} ${path.slice('/data/'.length)}`;
      if (path === '/chats/conversations') return json({ rows: [], next: null, people: {}, totals: noMessages });
      if (path === '/chats/state') return json({ newest: '0', totals: noMessages, run: null, compares: true });
      if (method !== 'GET') sent.push({ route, body: bodyOf(body) });
      const answer = Object.hasOwn(answers, route) ? answers[route as keyof typeof answers] : undefined;
      if (!answer) return undefined;
      const found = answer(search);
      return found instanceof Refusal ? { ...json({ error: found.error }), status: found.status } : json(found);
    },
  });
  const server = await serveViewer(page);
  return {
    origin: server.url,
    entrance: () => server.url + page.entrance,
    sent,
    close: () => server.close(100),
  };
}

const noMessages = { conversations: 0, messages: 0 };

function bodyOf(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString('utf8');
  return text.startsWith('{') ? JSON.parse(text) : text;
}
