import type { TransportAnswer } from '../service/transport.ts';
import { endpoints, type Shown, buildState } from './answers/endpoints.ts';
import { json } from './front.ts';
import type { ConversationPage } from './shapes.ts';

export type { Shown };

/** Answers a question about chats by its name, such as `conversations`; undefined if nothing has that name. */
type ViewerData = (name: string, search: URLSearchParams) => Promise<TransportAnswer | undefined>;

export const viewerData =
  (shown: Shown): ViewerData =>
  async (name, search) => {
    const overview = shown.overview();
    overview?.refresh();
    if (name === 'state') return json(buildState(shown));
    // Before the first message is there, and where messages are elsewhere.
    if (name === 'conversations' && !overview) return json(noConversations);
    const endpoint = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
    const found = overview && (await endpoint?.(overview, search, shown));
    return found === undefined ? undefined : json(found);
  };

const noConversations: ConversationPage = {
  rows: [],
  next: null,
  people: {},
  totals: { conversations: 0, messages: 0 },
};
