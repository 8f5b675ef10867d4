/**
 * The chat service's own shapes, in its own words: only the fields that are read.
 *
 * They describe what the service writes when all is well. The real content of a file is `Untrusted<…>` of these. If the
 * specification of the service is silent, the field is one that the hosted service of this shape answers
 * (https://www.cometchat.com/docs/rest-api/messages, 2026-11).
 */

/**
 * A message as `GET /v3/messages` lists it, or one of `POST /v3/data_import/messages`, which has no `id` and brings details.
 *
 *     { "id": "812", "muid": "k4", "conversationId": "group_harbour", "sender": "ines", "receiverType": "group",
 *       "receiver": "harbour", "category": "message", "type": "text", "data": { "text": "Tide is in" }, "sentAt": 1772467320 }
 */
export interface ServiceMessage {
  id: string;
  /** Chosen by the sender or the importer of the message. */
  muid: string;
  /** `group_<guid>`, or `<uid>_user_<uid>`. */
  conversationId: string;
  sender: string;
  receiverType: 'user' | 'group';
  /** uid or guid. */
  receiver: string;
  category: 'message' | 'custom' | 'interactive' | 'action' | 'call';
  type: string;
  data: ServiceData;
  /** Unix seconds; a string in import bodies. So are the other times. */
  sentAt: number | string;
  deliveredAt: number | string;
  readAt: number | string;
  /** Every change moves it. */
  updatedAt: number | string;
  editedAt: number | string;
  editedBy: string;
  deletedAt: number | string;
  /** Id of the message whose thread this one answers in. */
  parentId: string;
  tags: string[];
  senderUserDetails: ServiceUser;
  /** Details of a user, or of a group under `uid`. */
  receiverUserDetails: ServiceUser & ServiceGroup;
  receiverGroupDetails: ServiceGroup;
}

/** `data` of a message. */
export interface ServiceData {
  text: string;
  attachments: ServiceAttachment[];
  metadata: Record<string, unknown>;
  /** The specification's spelling; the hosted service writes `customData`. */
  custodata: Record<string, unknown>;
  customData: Record<string, unknown>;
  reactions: { reaction: string; count: number }[];
  /** Users whom the text mentions as `<@uid:ines>`, by uid. */
  mentions: Record<string, ServiceUser>;
  /** For calls and actions: `initiated`, `joined`. */
  action: string;
  interactiveData: { title: string };
  entities: {
    sender: ServiceEntity;
    receiver: ServiceEntity;
    /** For calls and actions: who acts, on what, concerning whom. */
    by: ServiceEntity;
    on: ServiceEntity;
    for: ServiceEntity;
  };
}

/** `entity` is a `ServiceUser`, a `ServiceGroup`, a `ServiceCall` or a message, as `entityType` says. */
export interface ServiceEntity {
  entityType: string;
  entity: Record<string, unknown>;
}

/** `size` is bytes as a string; the hosted service's samples show `"350.2"`. */
export interface ServiceAttachment {
  name: string;
  extension: string;
  size: string | number;
  mimeType: string;
  url: string;
}

export interface ServiceUser {
  uid: string;
  name: string;
  avatar: string;
  link: string;
  role: string;
  metadata: Record<string, unknown>;
  tags: string[];
  createdAt: number | string;
  /** Present and above 0 if the user is deactivated. */
  deactivatedAt: number | string;
}

export interface ServiceGroup {
  guid: string;
  name: string;
  description: string;
  /** `public`, `private` or `password`. */
  type: string;
  icon: string;
  metadata: Record<string, unknown>;
  tags: string[];
  owner: string;
  createdAt: number | string;
}

/** Subject of a call message. (It also has a secret for its clients, which is not read.) */
export interface ServiceCall {
  type: 'audio' | 'video';
  sender: string;
  receiver: string;
  receiverType: string;
  status: string;
  initiatedAt: number | string;
  startedAt: number | string;
  endedAt: number | string;
}

/**
 * `data.metadata.chatferry`: what an earlier import wrote there for want of a field. Messages are named by muid.
 * Published as `docs/reference/schemas/metadata.schema.json`.
 */
export interface ImportedMetadata {
  v: 1;
  key: string;
  thread: string;
  broadcast: true;
  quote: string;
  /** Unix seconds; 0 if the time is unknown. */
  edited: number;
  pinned: true;
  deleted: true;
  system: string;
  internal: string;
  files: { name: string; why: string }[];
  mentions: string[];
  reactions: { emoji: string; count: number; by: string[] }[];
  custom: Record<string, unknown>;
}
