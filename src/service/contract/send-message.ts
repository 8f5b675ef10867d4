import { z } from 'zod';
import { type ErrorCode, assumed, defineOperation, documented, specified } from '../operation.ts';
import { identifier, onBehalfOf } from './fields.ts';
import { messageBody } from '../import-item.ts';
import { message } from './message.ts';

/** Why a message is not sent. */
const sendErrors = [
  'ERR_EMPTY_RECEIVER',
  'ERR_INVALID_RECEIVER_TYPE',
  'ERR_UID_NOT_FOUND',
  'ERR_GUID_NOT_FOUND',
  'ERR_INVALID_MESSAGE_CATEGORY',
  'ERR_INVALID_MESSAGE_TYPE',
  'ERR_INVALID_MESSAGE_DATA',
  'ERR_INVALID_MESSAGE_TEXT',
  'ERR_EMPTY_MESSAGE_TEXT',
  'ERR_EMPTY_MESSAGE_FILE',
  'ERR_INVALID_MEDIA_MESSAGE',
  'ERR_EMPTY_CUSTOM_DATA',
  'ERR_INVALID_CUSTOM_DATA',
  'ERR_INVALID_METADATA',
  'ERR_IMPORT_MUID_ALREADY_EXISTS',
  'ERR_GROUP_NOT_JOINED',
  'ERR_BLOCKED_RECEIVER',
  'ERR_BLOCKED_SENDER',
] as const satisfies readonly ErrorCode[];

export const sendMessage = defineOperation({
  name: 'sendMessage',
  summary: 'Sends a message',
  area: 'Messages',
  method: 'POST',
  path: '/v3/messages',
  headers: onBehalfOf,
  body: messageBody,
  answer: z.looseObject({ data: message }),
  errors: sendErrors,
  rateClass: 'send',
  notes: [
    specified('The body has three variants, distinguished by `category`: plain, custom and interactive.'),
    documented('Without `onBehalfOf` the sender is `app_system`.'),
    documented('It is sent now: a time of its own is for imports. `data` has 10 KB at most; 25 tags at most.'),
    specified('A muid is unique.'),
    assumed('One that is taken is refused as an import refuses it.'),
    assumed(
      'With `multipleReceivers` each receiver gets a message of its own; the first one has the muid, and is the answer, as the specification shows one.',
    ),
  ],
});

export const sendBotMessage = defineOperation({
  name: 'sendBotMessage',
  summary: 'Sends a message from a bot',
  area: 'Messages',
  method: 'POST',
  path: '/v3/bots/{uid}/messages',
  params: z.object({ uid: identifier.describe('uid of the bot, who is the sender') }),
  body: messageBody,
  answer: z.looseObject({ data: message }),
  errors: ['ERR_BOT_NOT_FOUND', ...sendErrors],
  rateClass: 'send',
  notes: [specified('The body is that of `sendMessage`; there is no `onBehalfOf`.')],
});
