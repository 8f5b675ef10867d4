import { largestConversation } from '../checkpoint/reports/report-rows.ts';
import type { Store } from '../checkpoint/base/store.ts';
import type { ListedMessage } from '../service/client/answers/list-answer.ts';
import type { Target } from '../upload/target.ts';

/** The beginning of one conversation, as the destination lists it. */
export interface Excerpt {
  readonly conversation: string;
  readonly messages: readonly {
    readonly sentAtMs: number;
    readonly name: string;
    readonly text: string;
    readonly files: readonly string[];
  }[];
}

const excerptSize = 6;

/** What arrived, for a first look: the first messages of the largest conversation. Nothing if it cannot be read. */
export async function readExcerpt(store: Store, target: Target, signal: AbortSignal): Promise<Excerpt | undefined> {
  const largest = largestConversation(store.db, target.id);
  if (!largest) return undefined;
  const { conversationId, name } = largest;
  const page = await target.client.listMessages({ conversationId, affix: 'append', limit: excerptSize }, signal);
  return page.kind === 'answered' ? { conversation: name, messages: page.value.messages.map(readable) } : undefined;
}

function readable({ sentAt, sender, data }: ListedMessage): Excerpt['messages'][number] {
  const { entities, text, attachments } = data as {
    entities?: { sender?: { entity?: { name?: string } } };
    text?: string;
    attachments?: readonly { readonly name?: string }[];
  };
  return {
    sentAtMs: sentAt * 1000,
    name: entities?.sender?.entity?.name ?? sender,
    text: text ?? '',
    files: (attachments ?? []).map((file) => file.name ?? 'file'),
  };
}
