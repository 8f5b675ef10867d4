import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { type AnswerLayout, findAnswerLayout } from '../kit/rows/answer-layout.ts';
import type { LeftOutAnswer } from '../kit/rows/answer-rows.ts';
import { readOutline } from '../kit/rows/json-outline.ts';

export type FreshchatKind = 'users' | 'agents' | 'conversations';

/** Rows by the key of their list. */
export const freshchatLists = {
  messages: 'messages',
  users: 'users',
  agents: 'agents',
  conversations: 'conversations',
} as const;

/** Kind of a row by its keys. */
export function recogniseFreshchat(has: (key: string) => boolean): FreshchatKind | 'messages' | undefined {
  if (has('message_parts') && has('actor_type')) return 'messages';
  if (has('conversation_id') && has('status') && !has('messages')) return 'conversations';
  if (!has('id') || !has('first_name')) return has('id') && has('link') ? 'conversations' : undefined;
  return agentKeys.some(has) ? 'agents' : 'users';
}

const agentKeys = ['is_deactivated', 'role_id', 'biography', 'groups', 'agent_status', 'availability_status'];

const headBytes = 64 * 1024;

/** @returns undefined if it is no answer of Freshchat. A file that cannot be read at all may have contained messages. */
export async function findFreshchatLayout(
  input: ExportInput,
  path: string,
): Promise<AnswerLayout<FreshchatKind> | LeftOutAnswer | undefined> {
  const layout = await findAnswerLayout<FreshchatKind>(input, path, {
    lists: freshchatLists,
    kindOf: recogniseFreshchat,
  });
  if (layout) return layout;
  const head = new TextDecoder().decode(await headOrNothing(input, path, headBytes));
  const outline = readOutline(head);
  if (outline.get('/channels/*')?.has('welcome_message')) return { skip: 'Channels: messages name none' };
  if (outline.get('/groups/*')?.has('routing_type')) return { skip: 'Groups of agents: they write no messages' };
  return undefined;
}

/** The conversation of a page of messages, by its first row. */
export async function conversationIn(input: ExportInput, path: string): Promise<string | undefined> {
  const head = Buffer.from(await headOrNothing(input, path, headBytes)).toString('utf8');
  const [, text, number] = /"conversation_id"\s{0,9}:\s{0,9}(?:"([^"\\]{1,200})"|(\d{1,20}))/.exec(head) ?? [];
  return text ?? number;
}
