import { z } from 'zod';
import { listLimitDefault, listLimitMax } from '../limits.ts';
import {
  booleanParameter,
  integerParameter,
  listParameter,
  onBehalfOf,
  seconds,
  sentSeconds,
  serverId,
} from './fields.ts';
import { defineOperation } from './operation.ts';

const receiverType = z.enum(['user', 'group']);

const attachment = z.looseObject({
  url: z.string(),
  name: z.string().optional(),
  extension: z.string().optional(),
  mimeType: z.string().optional(),
  /** A string on the wire. */
  size: z.union([z.string(), z.number()]).optional(),
});

/** `data` of a message. Keys that are not named here are stored as they come. */
const messageData = z.looseObject({
  text: z.string().optional(),
  attachments: z.array(attachment).optional(),
  metadata: z.looseObject({}).optional(),
  /** The specification's spelling of free-form data; the public service documents `customData`. */
  custodata: z.looseObject({}).optional(),
  customData: z.looseObject({}).optional(),
});

const userDetails = z.looseObject({
  uid: z.string(),
  name: z.string(),
  avatar: z.string().optional(),
  link: z.string().optional(),
  createdAt: sentSeconds.optional(),
  metadata: z.looseObject({}).optional(),
});

/** Of a user, or of a group: the specification shows one set of fields for both kinds of receiver. */
const receiverDetails = z.looseObject({
  uid: z.string().optional(),
  guid: z.string().optional(),
  name: z.string(),
  avatar: z.string().optional(),
  type: z.string().optional(),
  description: z.string().optional(),
  icon: z.string().optional(),
  owner: z.string().optional(),
  createdAt: sentSeconds.optional(),
  metadata: z.looseObject({}).optional(),
});

/** One message of an import. Required are the five fields that the public service requires; the specification does not say. */
export const importItem = z.looseObject({
  muid: z.string(),
  sender: z.string(),
  receiverType,
  receiver: z.string(),
  category: z.string().optional(),
  type: z.string().optional(),
  data: messageData.optional(),
  sentAt: sentSeconds,
  deliveredAt: sentSeconds.optional(),
  readAt: sentSeconds.optional(),
  senderUserDetails: userDetails.optional(),
  receiverUserDetails: receiverDetails.optional(),
  /** Where the public service wants the details of a group. */
  receiverGroupDetails: receiverDetails.optional(),
  tags: z.array(z.string()).optional(),
});

export type ImportItem = z.input<typeof importItem>;
export type UserDetails = z.input<typeof userDetails>;
export type ReceiverDetails = z.input<typeof receiverDetails>;

/** A message as the service answers it. */
const message = z.looseObject({
  id: serverId,
  muid: z.string().optional(),
  conversationId: z.string().optional(),
  sender: z.string().optional(),
  receiverType: z.string().optional(),
  receiver: z.string().optional(),
  category: z.string().optional(),
  type: z.string().optional(),
  data: z.looseObject({}).optional(),
  sentAt: seconds.optional(),
  updatedAt: seconds.optional(),
  deliveredAt: seconds.optional(),
  readAt: seconds.optional(),
  tags: z.array(z.string()).optional(),
});

export const importMessages = defineOperation({
  name: 'importMessages',
  summary: 'Imports messages with their original times; each key of `messages` is the muid of its message',
  method: 'POST',
  path: '/v3/data_import/messages',
  body: z.looseObject({ messages: z.record(z.string(), importItem) }),
  answer: z.looseObject({
    data: z.record(
      z.string(),
      z.looseObject({ success: z.boolean(), data: message.optional(), error: z.unknown().optional() }),
    ),
  }),
});

const listQuery = z.object({
  conversationId: z.string().optional(),
  limit: integerParameter
    .refine((limit) => limit >= 1 && limit <= listLimitMax, `expected 1 to ${listLimitMax}`)
    .optional()
    .describe(`Messages per page: 1 to ${listLimitMax}, ${listLimitDefault} if not given`),
  affix: z.enum(['append', 'prepend']).optional().describe('After (append) or before (prepend) `id`'),
  id: z.string().optional(),
  sentAt: integerParameter.optional(),
  fromTimestamp: integerParameter.optional(),
  toTimestamp: integerParameter.optional().describe('Ignored without `fromTimestamp`'),
  sender: z.string().optional(),
  receiverType: receiverType.optional(),
  category: z.string().optional(),
  categories: listParameter.optional(),
  type: z.string().optional(),
  types: listParameter.optional(),
  tags: listParameter.optional(),
  withTags: booleanParameter.optional(),
  searchKey: z.string().optional(),
  hasAttachments: booleanParameter.optional(),
  attachmentTypes: z.string().optional(),
  hasMentions: booleanParameter.optional(),
  mentionedUids: z.string().optional(),
  mentionsWithBlockedInfo: booleanParameter.optional(),
  mentionswithTagInfo: booleanParameter.optional(),
  hasReactions: booleanParameter.optional(),
  hideMessagesFromBlockedUsers: booleanParameter.optional(),
  hideDeleted: booleanParameter.optional(),
  onlyDeleted: booleanParameter.optional(),
  hideReplies: booleanParameter.optional(),
  count: booleanParameter.optional(),
  unread: booleanParameter.optional(),
});

export type ListMessagesQuery = z.input<typeof listQuery>;

export const listMessages = defineOperation({
  name: 'listMessages',
  summary: 'Lists messages, a page at a time',
  method: 'GET',
  path: '/v3/messages',
  headers: onBehalfOf,
  query: listQuery,
  answer: z.looseObject({
    data: z.array(message),
    meta: z
      .looseObject({
        current: z.looseObject({ limit: z.number().optional(), count: z.number().optional() }).optional(),
        next: z
          .looseObject({ affix: z.string().optional(), sentAt: seconds.optional(), id: serverId.optional() })
          .nullish(),
      })
      .optional(),
  }),
});
