import type { Facts } from '../mapping/facts.ts';
import type { Rules } from '../mapping/rules.ts';

interface Loss {
  readonly name: string;
  readonly what: string;
  readonly becomes: string;
}

/** What the export has and the service cannot hold as such: by the fact that it is counted under. */
const losses: Readonly<Partial<Record<keyof Facts, Loss>>> = {
  replies: {
    name: 'thread links',
    what: 'replies that belong to a thread',
    becomes: 'ordinary messages of the conversation; the thread is kept in data.metadata.chatferry.thread',
  },
  reactions: {
    name: 'reactions',
    what: 'reactions, each with who gave it',
    becomes: 'kept in data.metadata.chatferry.reactions; not shown as reactions',
  },
  edited: {
    name: 'edit marks',
    what: 'messages that were edited',
    becomes: 'sent as last edited; the time of the edit is kept in data.metadata.chatferry.edited',
  },
  filesWithoutAddress: {
    name: 'files without an address',
    what: 'files that the export only names: deleted, hidden or not accessible',
    becomes: 'their names are kept in data.metadata.chatferry.files',
  },
  attachments: {
    name: 'files by reference',
    what: 'files that stay at the address the export gives',
    becomes: 'attachments with that address; they break when it expires or needs a login',
  },
  pinned: { name: 'pins', what: 'pinned messages', becomes: 'kept in data.metadata.chatferry.pinned' },
  mentions: {
    name: 'mentions',
    what: 'people mentioned in texts',
    becomes: 'shown as @Name in the text; their uids are kept in data.metadata.chatferry.mentions',
  },
  quotes: { name: 'quotes', what: 'messages that quote another', becomes: 'kept in data.metadata.chatferry.quote' },
};

/** What becomes of a fact under a mapping, if it is a loss at all. */
export function lossOf(fact: keyof Facts, rules: Rules): Loss | undefined {
  const loss = losses[fact];
  if (loss && fact === 'replies' && rules.messages.threads === 'flat') {
    return { ...loss, becomes: 'ordinary messages of the conversation; messages.threads: flat drops the thread' };
  }
  if (loss && fact === 'reactions' && rules.messages.reactions === 'drop') {
    return { ...loss, becomes: 'dropped by messages.reactions: drop' };
  }
  return loss;
}
