import { z } from 'zod';
import { listLimitDefault, listLimitMax, perPageDefault, perPageMax } from '../profiles.ts';
import {
  booleanParameter,
  cursorSeconds,
  identifier,
  integerId,
  integerParameter,
  listParameter,
  onBehalfOf,
  onBehalfOfRequired,
  pagination,
  secondsParameter,
  serverId,
} from './fields.ts';
import { message, receiverType } from './message.ts';
import { assumed, defineOperation, documented, specified } from '../operation.ts';

/** Filters that both listings accept. */
const filters = z.object({
  searchKey: z.string().optional().describe('Only messages that include this text'),
  hasAttachments: booleanParameter.optional().describe('Only messages with attachments, or without'),
  attachmentTypes: z
    .enum(['image', 'video', 'audio', 'file'])
    .optional()
    .describe('Only messages with attachments of this kind'),
  hasLinks: booleanParameter.optional().describe('Only messages with links in their text, or without'),
  hasMentions: booleanParameter.optional().describe('Only messages with mentions, or without'),
  mentionedUids: z
    .string()
    .optional()
    .describe('Only messages that mention one of these users: uids, separated by commas'),
  hasReactions: booleanParameter.optional().describe('Only messages with reactions, or without'),
  hideReplies: booleanParameter.optional().describe('Leaves out replies in threads'),
  unread: booleanParameter.optional().describe('Only messages that are not read; together with `count`'),
  affix: z.enum(['append', 'prepend']).optional().describe('Messages after (`append`) or before (`prepend`) `id`'),
  id: z.string().optional().describe('Service id of the message at which the page begins'),
  type: z.string().optional().describe('Only messages of this type'),
  types: listParameter.optional().describe('Only messages of these types'),
  categories: listParameter.optional().describe('Only messages of these categories'),
  mentionsWithBlockedInfo: booleanParameter
    .optional()
    .describe('Shows for mentioned users whether they and the user for whom the request acts have blocked each other'),
  mentionsWithTagInfo: booleanParameter.optional().describe('Shows the tags of mentioned users'),
  mentionswithTagInfo: booleanParameter.optional().describe('The same, as the specification spells it'),
  fromTimestamp: secondsParameter.optional().describe('Only messages from this time on, in Unix seconds'),
  toTimestamp: secondsParameter
    .optional()
    .describe('Only messages up to this time, in Unix seconds; ignored without `fromTimestamp`'),
  withTags: booleanParameter.optional().describe('Shows the tags of messages'),
  tags: listParameter.optional().describe('Only messages with one of these tags'),
});

const linkFilter = documented(
  'The specification omits the name of the filter for messages with links: it is `hasLinks`. To get the tags of mentioned users, pass `mentionsWithTagInfo`.',
);

const lenience = documented('Unknown parameters are ignored.');

const listSpellings = assumed(
  'A list may be spelled `tags=a&tags=b`, `tags=a,b`, `tags[]=a&tags[]=b` or `tags[0]=a&tags[1]=b`.',
);

const mentionedUids = specified(
  '`mentionedUids` is declared as a boolean and described as uids separated by commas; it is text here.',
);

const listQuery = z.object({
  conversationId: z.string().optional().describe('Only messages of this conversation'),
  limit: integerParameter(1, listLimitMax)
    .optional()
    .describe(`Messages per page: 1 to ${listLimitMax}, ${listLimitDefault} if not given`),
  sentAt: secondsParameter
    .optional()
    .describe(
      'Only messages after this time, in Unix seconds; with `prepend`, before it. Together with `id`, the time of that message: both define where the page begins',
    ),
  sender: z.string().optional().describe('Only messages of this user; with `onBehalfOf`, of conversations of both'),
  receiverType: receiverType.optional().describe('Only messages to users, or to groups'),
  category: z
    .enum(['message', 'action', 'custom'])
    .optional()
    .describe('Only messages of this category; others can be named in `categories`'),
  hideMessagesFromBlockedUsers: booleanParameter
    .optional()
    .describe('Leaves out messages of users that the user for whom the request acts has blocked'),
  hideDeleted: booleanParameter.optional().describe('Leaves out deleted messages'),
  onlyDeleted: booleanParameter.optional().describe('Only deleted messages'),
  count: booleanParameter.optional().describe('Counts unread messages'),
  ...filters.shape,
});

export const listMessages = defineOperation({
  name: 'listMessages',
  summary: 'Lists messages, a page at a time',
  area: 'Messages',
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
          .looseObject({ affix: z.string().optional(), sentAt: cursorSeconds.optional(), id: serverId.optional() })
          .nullish()
          .describe('Parameters for the next page; present on the last page too'),
      })
      .optional(),
  }),
  errors: ['ERR_UID_NOT_FOUND'],
  rateClass: 'standard',
  notes: [
    specified('With `onBehalfOf` only what that user can see is listed.'),
    mentionedUids,
    linkFilter,
    lenience,
    listSpellings,
    documented(
      '`meta.next` is present on the last page too, and on the empty page after it: a list ends at an empty page.',
    ),
    assumed(
      'Messages come in the order of their ids. An unknown conversation is empty, and its cursor names the id 0.',
    ),
    assumed('With `count` there is `meta.unreadCount`. `withTags=false` leaves tags out; else they are shown.'),
  ],
});

const userListQuery = z.object({
  ...filters.shape,
  perPage: integerParameter(1, perPageMax)
    .optional()
    .describe(`Messages per page: 1 to ${perPageMax}, ${perPageDefault} if not given`),
  limit: integerParameter(1, listLimitMax)
    .optional()
    .describe(`Messages per page with \`onBehalfOf\`: 1 to ${listLimitMax}, ${listLimitDefault} if not given`),
  undelivered: booleanParameter.optional().describe('Only messages that are not delivered'),
  count: booleanParameter.optional().describe('Counts messages per group or user'),
  category: z.string().optional().describe('Only messages of this category'),
  myMentionsOnly: booleanParameter
    .optional()
    .describe('Only messages that mention the user for whom the request acts; false if not given'),
  hasReactions: booleanParameter
    .optional()
    .describe('Only messages of `sender` that have reactions; false if not given'),
  sender: z.string().optional().describe('Only messages of this user'),
});

export const listUserMessages = defineOperation({
  name: 'listUserMessages',
  summary: 'Lists the messages of a user, a page at a time',
  area: 'Messages',
  method: 'GET',
  path: '/v3/users/{uid}/messages',
  params: z.object({ uid: identifier.describe('The user') }),
  headers: onBehalfOf,
  query: userListQuery,
  answer: z.looseObject({
    data: z.array(message),
    meta: z
      .looseObject({
        pagination: pagination.optional(),
        cursor: z
          .looseObject({ id: integerId.optional(), affix: z.string().optional() })
          .nullish()
          .describe('Parameters for the next page; present on the last page too'),
      })
      .optional(),
  }),
  errors: ['ERR_UID_NOT_FOUND'],
  rateClass: 'standard',
  notes: [
    mentionedUids,
    linkFilter,
    lenience,
    listSpellings,
    documented('With `onBehalfOf` it lists the messages between the two users.'),
    documented('The newest page comes first, ascending within; `meta.cursor` reads on towards the past.'),
    documented('`meta.cursor` is present on a single page too: a list ends at an empty page.'),
    assumed('Without `onBehalfOf` it lists all messages that the user sent or received.'),
    assumed('With `count` there is `meta.counts`: entityType, entityId and count.'),
  ],
});

export const addReaction = defineOperation({
  name: 'addReaction',
  summary: 'Adds a reaction of a user to a message',
  area: 'Messages',
  method: 'POST',
  path: '/v3/messages/{id}/reactions/{reaction}',
  params: z.object({
    id: identifier.describe('Id that the service gave the message'),
    reaction: identifier.describe('An emoji, or any text'),
  }),
  headers: onBehalfOfRequired,
  answer: z.looseObject({ data: message }),
  errors: ['ERR_UID_NOT_FOUND', 'ERR_MESSAGE_ID_NOT_FOUND', 'ERR_MESSAGE_NO_ACCESS'],
  rateClass: 'standard',
  notes: [
    specified('`data.reactions` of the answer lists every reaction with its count, and `reactedByMe`.'),
    assumed('The same reaction of the same user again changes nothing.'),
  ],
});
