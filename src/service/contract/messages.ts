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

const flag = (description: string) => booleanParameter.optional().describe(description);
const list = (description: string) => listParameter.optional().describe(description);
const seconds = (description: string) => secondsParameter.optional().describe(description);
const text = (description: string) => z.string().optional().describe(description);

/** Filters that both listings accept. */
const filters = z.object({
  searchKey: text('Only messages that include this text'),
  hasAttachments: flag('Only messages with attachments, or without'),
  attachmentTypes: z
    .enum(['image', 'video', 'audio', 'file'])
    .optional()
    .describe('Only messages with attachments of this kind'),
  hasLinks: flag('Only messages with links in their text, or without'),
  hasMentions: flag('Only messages with mentions, or without'),
  mentionedUids: text('Only messages that mention one of these users: uids, separated by commas'),
  hasReactions: flag('Only messages with reactions, or without'),
  hideReplies: flag('Leaves out replies in threads'),
  unread: flag('Only messages that are not read; together with `count`'),
  affix: z.enum(['append', 'prepend']).optional().describe('Messages after (`append`) or before (`prepend`) `id`'),
  id: text('Service id of the message at which the page begins'),
  type: text('Only messages of this type'),
  types: list('Only messages of these types'),
  categories: list('Only messages of these categories'),
  mentionsWithBlockedInfo: flag(
    'Shows for mentioned users whether they and the user for whom the request acts have blocked each other',
  ),
  mentionsWithTagInfo: flag('Shows the tags of mentioned users'),
  mentionswithTagInfo: flag('The same, as the specification spells it'),
  fromTimestamp: seconds('Only messages from this time on, in Unix seconds'),
  toTimestamp: seconds('Only messages up to this time, in Unix seconds; ignored without `fromTimestamp`'),
  withTags: flag('Shows the tags of messages'),
  tags: list('Only messages with one of these tags'),
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
  conversationId: text('Only messages of this conversation'),
  limit: integerParameter(1, listLimitMax)
    .optional()
    .describe(`Messages per page: 1 to ${listLimitMax}, ${listLimitDefault} if not given`),
  sentAt: seconds(
    'Only messages after this time, in Unix seconds; with `prepend`, before it. Together with `id`, the time of that message: both define where the page begins',
  ),
  sender: text('Only messages of this user; with `onBehalfOf`, of conversations of both'),
  receiverType: receiverType.optional().describe('Only messages to users, or to groups'),
  category: z
    .enum(['message', 'action', 'custom'])
    .optional()
    .describe('Only messages of this category; others can be named in `categories`'),
  hideMessagesFromBlockedUsers: flag(
    'Leaves out messages of users that the user for whom the request acts has blocked',
  ),
  hideDeleted: flag('Leaves out deleted messages'),
  onlyDeleted: flag('Only deleted messages'),
  count: flag('Counts unread messages'),
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
  undelivered: flag('Only messages that are not delivered'),
  count: flag('Counts messages per group or user'),
  category: text('Only messages of this category'),
  myMentionsOnly: flag('Only messages that mention the user for whom the request acts; false if not given'),
  hasReactions: flag('Only messages of `sender` that have reactions; false if not given'),
  sender: text('Only messages of this user'),
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
  notes: [
    specified('`data.reactions` of the answer lists every reaction with its count, and `reactedByMe`.'),
    assumed('The same reaction of the same user again changes nothing.'),
  ],
});
