import type { ConversationRecord } from '../../model/records.ts';
import type { Look } from './look.ts';
import type { WhatsappOptions } from './options.ts';

/** A chat and what is known of it from outside. */
export interface Chat {
  readonly title: string;
  /** The title, unless others have it too. */
  readonly id: string;
  /** Whether chats of this name may be one. */
  readonly isSameNameOpen: boolean;
  readonly workspace: string;
  readonly options: WhatsappOptions;
}

/**
 * A chat of two has the name of the other one, who writes in it. Everything else is a group, and private: nothing says who could come
 * in.
 */
export function conversationOf(
  { id, title, options: { me } }: Chat,
  { authors, hasGroupEvents }: Look,
): ConversationRecord {
  // Words that are not known may stand before the name in the name of the file.
  const partner = authors.find(
    (author) => author === title || (/whatsapp/i.test(title) && title.endsWith(` ${author}`)),
  );
  const others = authors.filter((author) => author !== partner);
  const own = others[0] ?? (me === '' ? undefined : me);
  const isDirect = !hasGroupEvents && partner !== undefined && others.length < 2 && own !== undefined;
  return {
    kind: 'conversation',
    id,
    type: isDirect ? 'direct' : 'private',
    name: isDirect ? '' : title,
    members: isDirect ? [own, partner] : [],
  };
}
