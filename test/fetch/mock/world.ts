/** The chats that a mock provider has. They grow while they are read. */
export interface World {
  readonly people: WorldPerson[];
  readonly conversations: WorldConversation[];
}

export interface WorldPerson {
  readonly id: number;
  readonly name: string;
}

export interface WorldConversation {
  readonly id: number;
  readonly title: string;
  readonly members: readonly number[];
  /** Oldest first. */
  readonly messages: WorldMessage[];
}

export interface WorldMessage {
  /** Unique over all conversations, and later ones are larger. */
  readonly id: number;
  readonly author: number;
  readonly text: string;
  /** Unix ms. */
  readonly at: number;
  /** A note of an agent, where the provider has such. */
  readonly isPrivate: boolean;
}

/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;

/**
 * A world that is always the same. Every fifth message is a private note; messages come in pairs of the same second.
 *
 * @param messagesFirst Messages of the first conversation. Default as many as each other has.
 */
export function makeWorld(conversationCount: number, messagesEach: number, messagesFirst = messagesEach): World {
  const people = Array.from({ length: 7 }, (_, id) => ({ id: id + 1, name: `Person ${id + 1}` }));
  const world: World = { people, conversations: [] };
  for (let id = 1; id <= conversationCount; id++) addConversation(world);
  for (let round = 0; round < messagesEach; round++)
    for (const conversation of world.conversations) addMessage(world, conversation);
  for (let more = messagesEach; more < messagesFirst; more++) addMessage(world, world.conversations[0]!);
  return world;
}

export function addConversation(world: World): WorldConversation {
  const id = world.conversations.length + 1;
  const conversation = { id, title: `Harbour ${id}`, members: [1 + (id % 7), 1 + ((id + 1) % 7)], messages: [] };
  world.conversations.push(conversation);
  return conversation;
}

/** @param at Unix ms. Default: after the messages before it, of the year in which the world began. */
export function addMessage(world: World, conversation: WorldConversation, at?: number): WorldMessage {
  const id = 1 + world.conversations.reduce((sum, { messages }) => sum + messages.length, 0);
  const message = {
    id,
    author: conversation.members[id % 2]!,
    text: `Message ${id} of ${conversation.title}: 9007199254740993`,
    at: at ?? firstMs + Math.floor(id / 2) * 1000,
    isPrivate: id % 5 === 0,
  };
  conversation.messages.push(message);
  return message;
}

/** Whether a message has a file, where a dialect has files. */
export const hasFile = ({ id }: WorldMessage): boolean => id % 40 === 1;

/** The text of every message, by its id. */
export const textsOf = (world: World): ReadonlyMap<number, string> =>
  new Map(world.conversations.flatMap(({ messages }) => messages.map(({ id, text }) => [id, text])));
