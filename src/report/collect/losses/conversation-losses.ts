import type { LossKind } from './loss.ts';

/** Of conversations of which something is sent. */
export const conversationLosses: readonly LossKind[] = [
  {
    name: 'archived conversations',
    what: 'conversations that were closed for writing',
    count: ({ conversations }) => conversations.archived,
    becomes: () => 'open again: the service has nothing like it',
  },
  {
    name: 'direct conversations as groups',
    what: 'direct conversations in which a third person wrote, of which there are two, or of one person alone',
    count: ({ conversations }) => conversations.directAsGroup,
    becomes: () => 'private groups, each with its own id',
  },
  {
    name: 'group conversations without a channel',
    what: 'direct conversations of three or more',
    count: ({ conversations }) => conversations.groupDirect,
    becomes: () => 'private groups, called after their members where they have no name',
  },
  {
    name: 'creators',
    what: 'groups whose export says who made them',
    count: ({ conversations }) => conversations.creatorsLost,
    becomes: () => 'groups without an owner; conversations.owner: creator keeps who made them',
  },
  {
    name: 'topics',
    what: 'groups with a topic beside their description',
    count: ({ conversations }) => conversations.topicsLost,
    becomes: () => 'not carried over: a group has one description',
  },
  {
    name: 'details of direct conversations',
    what: 'one-to-one conversations with a name, a topic or a description',
    count: ({ conversations }) => conversations.directDetails,
    becomes: () => 'not carried over: a one-to-one chat is called after the other person',
  },
  {
    name: 'shortened descriptions',
    what: 'descriptions of groups that are longer than the service takes',
    count: ({ found }) => found.get('description-shortened') ?? 0,
    becomes: () => 'cut, and ended by an ellipsis',
  },
];
