import { z } from 'zod';
import { freeForm, sentSeconds } from './contract/fields.ts';
import { attachment, message, receiverType } from './contract/message.ts';
import { assumed, defineOperation, documented, specified } from './operation.ts';

/** `data` of a message. Keys that are not named here are stored as they come. */
const messageData = z
  .looseObject({
    text: z.string().optional().describe('Body of a text message, caption of a media message'),
    attachments: z.array(attachment).optional(),
    metadata: freeForm.optional().describe('Free-form'),
    custodata: freeForm.optional().describe('Free-form, as the specification spells it'),
    customData: freeForm.optional().describe('The same, as the hosted service spells it'),
  })
  .describe('Keys that are not named here are stored as they come');

/** Details that every person may have. */
const personal = {
  name: z.string(),
  avatar: z.string().optional().describe('URL'),
  link: z.string().optional().describe('URL'),
  role: z.string().optional().describe('`default` where none was given'),
  createdAt: sentSeconds.optional(),
  lastActiveAt: sentSeconds.optional(),
  metadata: freeForm.optional(),
  tags: z.array(z.string()).optional(),
};

const userDetails = z.looseObject({ uid: z.string(), ...personal });

/** Details of a user, or of a group: the specification shows one set of fields for both kinds of receiver. */
const receiverDetails = z.looseObject({
  uid: z.string().optional(),
  guid: z.string().optional(),
  ...personal,
  type: z.string().optional().describe('For a group: `public`, `private` or `password`'),
  description: z.string().optional().describe('Of a group'),
  icon: z.string().optional().describe('For a group: URL'),
  owner: z.string().optional().describe('For a group: uid'),
});

/** One message of an import. Required are the five fields that the hosted service requires; the specification does not say. */
export const importItem = z
  .looseObject({
    muid: z.string().describe('Your own id of the message; equal to its key'),
    sender: z.string().describe('uid'),
    receiverType,
    receiver: z.string().describe('uid or guid'),
    category: z.string().optional().describe('`message`, `custom` or `interactive`; `message` if not given'),
    type: z
      .string()
      .optional()
      .describe('`text`, `image`, `file`, `audio`, `video`; `form`; or your own. `text` if not given'),
    data: messageData.optional(),
    sentAt: sentSeconds,
    deliveredAt: sentSeconds.optional(),
    readAt: sentSeconds.optional(),
    senderUserDetails: userDetails.optional().describe('Creates the sender, or updates it'),
    receiverUserDetails: receiverDetails.optional().describe('Creates the receiver, or updates it'),
    receiverGroupDetails: receiverDetails
      .optional()
      .describe('Field in which the hosted service expects the details of a group'),
    receiverGroupOwnerDetails: userDetails.optional().describe('Creates the owner of the group, or updates it'),
    mentionedUserDetails: z
      .record(z.string(), userDetails)
      .optional()
      .describe('By uid: creates or updates the users that the text mentions'),
    tags: z.array(z.string()).optional(),
  })
  .meta({ id: 'ImportMessage', description: 'A message to import' });

export type ImportItem = z.input<typeof importItem>;
export type UserDetails = z.input<typeof userDetails>;
export type ReceiverDetails = z.input<typeof receiverDetails>;

/** The specification shows the message itself, a page of the hosted service one more `data` around it. */
const importedMessage = z.union([message, z.looseObject({ data: message }).transform(({ data }) => data)]);

export const importMessages = defineOperation({
  name: 'importMessages',
  summary: 'Imports messages with their original times',
  area: 'Import',
  method: 'POST',
  path: '/v3/data_import/messages',
  body: z.looseObject({ messages: z.record(z.string(), importItem).describe('By muid') }),
  answer: z.looseObject({
    data: z
      .record(
        z.string(),
        z.looseObject({
          success: z.boolean(),
          data: importedMessage.optional().describe('The message as it is stored'),
          error: z.unknown().optional().describe('Why it is not: code and message'),
        }),
      )
      .describe('By muid'),
  }),
  errors: ['ERR_IMPORT_INVALID_MESSAGE_FORMAT'],
  itemErrors: [
    'ERR_IMPORT_MUID_ALREADY_EXISTS',
    'ERR_BAD_REQUEST',
    'ERR_IMPORT_INVALID_MESSAGE_FORMAT',
    'ERR_EMPTY_RECEIVER',
    'ERR_INVALID_RECEIVER_TYPE',
    'ERR_INVALID_MESSAGE_CATEGORY',
    'ERR_INVALID_MESSAGE_TYPE',
    'ERR_INVALID_MESSAGE_DATA',
    'ERR_INVALID_MESSAGE_TEXT',
    'ERR_INVALID_METADATA',
    'ERR_INVALID_MEDIA_MESSAGE',
    'ERR_EMPTY_MESSAGE_TEXT',
    'ERR_EMPTY_MESSAGE_FILE',
    'ERR_EMPTY_CUSTOM_DATA',
    'ERR_INVALID_CUSTOM_DATA',
    'ERR_UID_NOT_FOUND',
    'ERR_GUID_NOT_FOUND',
    'ERR_EXCEPTION',
  ],
  rateClass: 'import',
  notes: [
    specified('Each key of `messages` is the muid of its message; the answer has one entry per imported message.'),
    specified('Plain, custom and interactive form messages can be imported.'),
    documented('It takes only the categories `message` and `custom`. It also has the fields of the details.'),
    documented(
      '50 messages per request at most, and 60 requests per minute. Messages older than 183 days are refused.',
    ),
    documented('A request that ends with status 500 may have stored part of its messages.'),
    documented(
      'Send the oldest first: ids ascend in the order of arrival. JSON of most languages lists keys of digits alone first and in numeric order, so begin muids with a letter.',
    ),
    assumed('Required are `muid`, `sender`, `receiverType`, `receiver` and `sentAt`, as by the hosted service.'),
  ],
});
