import type { ConversationRecord } from '../../model/records.ts';
import type { ChatName } from '../kit/files/chat-files.ts';
import type { ChatFacts } from './chat-facts.ts';
import type { WhatsappOptions } from './options.ts';

/** A chat and what is known of it from outside. */
export interface Chat extends ChatName {
  readonly workspace: string;
  readonly options: WhatsappOptions;
}

/** The record of a chat, and the other one in a chat of two: the name under which they write, and their id. */
export interface Conversation {
  readonly record: ConversationRecord;
  readonly partner: { readonly name: string; readonly id: string } | undefined;
}

/**
 * A chat of two has the name of the other one, who writes in it. If other chats have the same name, that person has the id of the chat: each chat
 * may be with another person of the name. Everything else is a group, and private: nothing says who could come in.
 */
export function describeConversation(
  { id, title, options: { me } }: Chat,
  { authors, hasGroupEvents }: ChatFacts,
): Conversation {
  // Unknown words may come before the name in the name of the file.
  const partner = authors.find(
    (author) => author === title || (/whatsapp/i.test(title) && title.endsWith(` ${author}`)),
  );
  const others = authors.filter((author) => author !== partner);
  const own = others[0] ?? (me === '' ? undefined : me);
  const isDirect = !hasGroupEvents && partner !== undefined && others.length < 2 && own !== undefined;
  if (!isDirect)
    return { record: { kind: 'conversation', id, type: 'private', name: title, members: [] }, partner: undefined };
  const partnerId = id === title ? partner : id;
  return {
    record: { kind: 'conversation', id, type: 'direct', name: '', members: [own, partnerId] },
    partner: { name: partner, id: partnerId },
  };
}
