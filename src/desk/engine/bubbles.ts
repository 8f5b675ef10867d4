import type { MessageRecord } from '../../model/records.ts';
import type { BeforeAfter } from '../../rows/rows-with-messages.ts';
import { cut } from '../../rows/trial.ts';
import type { Bubble } from '../shapes.ts';

interface Drawn {
  readonly names: BeforeAfter['names'];
  /** As the service would get it; nothing of a message that is not sent. */
  readonly payload: unknown;
  /** Parts that are not decided yet. */
  readonly open?: BeforeAfter['open'];
  /** Few may read it. */
  readonly isHidden?: boolean;
}

interface Payload {
  readonly category?: string;
  readonly type?: string;
  readonly tags?: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
}

const undecided = 'not decided yet';

/** Returns a message as the chats show it. */
export function drawBubble(record: MessageRecord, { names, payload, open = [], isHidden = false }: Drawn): Bubble {
  const { origin, author: uid = '', authorDetails, sentAtMs, threadRoot, quoteOf } = record;
  const hidden: Payload = { data: { text: 'not shown: few may read it' } };
  const sent: Payload = isHidden ? hidden : ((payload ?? unsent(record)) as Payload);
  const { category = 'message', type = 'text', tags = [], data } = sent;
  const text = open.includes('text') ? undecided : cut(String(data.text ?? ''));
  const { chatferry } = (data.metadata ?? {}) as { readonly chatferry?: Readonly<Record<string, unknown>> };
  const roots = [
    [chatferry?.thread, threadRoot],
    [chatferry?.quote, quoteOf],
  ].flatMap(([key, id]) => (typeof key === 'string' ? [[key, excerpt(String(id ?? key))] as const] : []));
  return {
    message: {
      ...{ id: origin.id, muid: null, sender: uid, category, type, tags, data: { ...data, text }, sentence: null },
      ...{ sentAt: sentAtMs / 1000, deletedAt: null, parent: null, reactions: [], replies: 0 },
    },
    author: {
      uid,
      name: open.includes('author') ? undecided : (names.author ?? (uid === '' ? 'nobody is named' : uid)),
      ...(authorDetails?.isBot === true && { isBot: true }),
    },
    conversation: open.includes('conversation') ? undecided : (names.conversation ?? origin.conversation),
    roots: Object.fromEntries(roots),
  };
}

const excerpt = (id: string) => ({
  ...{ id, conversation: '', sender: '', sentAt: 0 },
  ...{ text: `message ${id}`, isSaid: false },
});

/** The content of a message that is not sent, by the export. */
function unsent({ text, attachments, threadRoot, quoteOf, systemEvent, isDeleted }: MessageRecord): Payload {
  const chatferry = { thread: threadRoot, quote: quoteOf, system: systemEvent, deleted: isDeleted };
  return { data: { text, attachments, metadata: { chatferry } } };
}
