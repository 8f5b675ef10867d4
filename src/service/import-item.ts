import { z } from 'zod';
import { freeForm, sentSeconds } from './contract/fields.ts';
import { attachment, message, receiverType } from './contract/message.ts';
import { assumed, defineOperation, documented, specified } from './operation.ts';
import { receiversMax } from './profiles.ts';

/** `data` of a message. Keys that are not named here are stored as they come. */
const messageData = z.lazy(() =>
  z
    .looseObject({
      text: z.string().optional().describe('Body of a text message, caption of a media message'),
      attachments: z.array(attachment).optional(),
      metadata: freeForm.optional().describe('Free-form'),
      custodata: freeForm.optional().describe('Free-form, as the specification spells it'),
      customData: freeForm.optional().describe('The same, as the hosted service spells it'),
    })
    .describe('Keys that are not named here are stored as they come'),
);

/** Fields of a user, and of a group. */
export const personal = {
  name: z.string(),
  avatar: z.string().optional().describe('URL'),
  link: z.string().optional().describe('URL'),
  role: z.string().optional().describe('`default` where none was given'),
  createdAt: sentSeconds.optional(),
  lastActiveAt: sentSeconds.optional(),
  metadata: freeForm.optional(),
  tags: z.array(z.string()).optional(),
};

export const userDetails = z.lazy(() => z.looseObject({ uid: z.string(), ...personal }));

/** Details of a user, or of a group: the specification shows one set of fields for both kinds of receiver. */
const receiverDetails = z.lazy(() =>
  z.looseObject({
    uid: z.string().optional(),
    guid: z.string().optional(),
    ...personal,
    type: z.string().optional().describe('For a group: `public`, `private` or `password`'),
    description: z.string().optional().describe('Of a group'),
    icon: z.string().optional().describe('For a group: URL'),
    owner: z.string().optional().describe('For a group: uid'),
  }),
);

/** One message of an import. Required are the five fields that the hosted service requires; the specification does not say. */
export const importItem = z.lazy(() =>
  z
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
    .meta({ id: 'ImportMessage', description: 'A message to import' }),
);

export type ImportItem = z.input<typeof importItem>;
export type UserDetails = z.input<typeof userDetails>;
export type ReceiverDetails = z.input<typeof receiverDetails>;

/** The specification shows the message itself, a page of the hosted service one more `data` around it. */
const importedMessage = z.lazy(() =>
  z.union([message, z.looseObject({ data: message }).transform(({ data }) => data)]),
);

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
    'ERR_GROUP_NOT_JOINED',
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

const mediaTypes = ['image', 'file', 'audio', 'video'] as const;

/** To whom and under which id; the same in all three variants. */
const envelope = {
  receiver: z.string().optional().describe('uid or guid; needed unless `multipleReceivers` is given'),
  receiverType: receiverType.optional().describe('Needed beside `receiver`'),
  muid: z.string().min(1).optional().describe('Your own id of the message; no other message has it'),
  multipleReceivers: z
    .strictObject({
      uids: z.array(z.string()).max(receiversMax).optional(),
      guids: z.array(z.string()).max(receiversMax).optional(),
    })
    .optional()
    .describe('Sends to several users and groups'),
  tags: z.array(z.string()).optional(),
};

const plainData = z.lazy(() =>
  z
    .looseObject({
      text: z.string().optional().describe('Body of a text message, caption of a media message'),
      attachments: z.array(attachment).optional().describe('For a media message, at least one'),
      metadata: freeForm.optional().describe('Free-form'),
    })
    .describe('Attributes of the message. Keys that are not named here are stored as they come'),
);

const plainMessage = z.lazy(() =>
  z
    .strictObject({
      ...envelope,
      category: z.literal('message').optional().describe('`message` if not given'),
      type: z
        .enum(['text', ...mediaTypes])
        .optional()
        .describe('`text` if not given'),
      data: plainData,
    })
    .meta({ id: 'PlainMessageBody', title: 'Message', description: 'A text or media message' }),
);

const customMessage = z.lazy(() =>
  z
    .strictObject({
      ...envelope,
      category: z.literal('custom'),
      type: z.string().min(1).optional().describe('Your own; `text` if not given'),
      data: z
        .looseObject({
          customData: freeForm.optional().describe('The content, as the hosted service spells it'),
          custodata: freeForm.optional().describe('The content, as the specification spells it for imports'),
          text: z.string().optional(),
          metadata: freeForm.optional().describe('Free-form'),
        })
        .describe('The specification does not show its shape; the hosted service wants `customData`'),
    })
    .meta({ id: 'CustomMessageBody', title: 'Custom', description: 'A message of a type of your own' }),
);

/**
 * Elements of an interactive form. Which fields are required the specification does not say: here it is those without which
 * an element means nothing.
 */
const elementId = z.string().min(1).describe('Unique in its form');
const label = z.string().optional().describe('Shown next to the element');
const isOptional = z.boolean().optional().describe('Whether it may be left empty');
const placeholder = z.looseObject({ text: z.string() }).optional().describe('Shown while the element is empty');
const maxLines = z.int().min(1).optional();
const options = z.array(z.looseObject({ value: z.string(), label: z.string() })).describe('The available choices');

const textInput = z.lazy(() =>
  z
    .looseObject({
      elementType: z.literal('textInput'),
      elementId,
      label,
      optional: isOptional,
      maxLines,
      defaultValue: z.string().optional(),
      placeholder,
    })
    .describe('A line or several of text'),
);

const choiceFields = {
  elementId,
  label,
  optional: isOptional,
  options,
  defaultValue: z.string().optional().describe('The `value` of an option'),
};

const dropdown = z.lazy(() =>
  z
    .looseObject({ elementType: z.literal('dropdown'), ...choiceFields })
    .describe('One of several options, in a list that opens'),
);

const singleSelect = z.lazy(() =>
  z
    .looseObject({ elementType: z.literal('singleSelect'), ...choiceFields })
    .describe('One of several options, all shown'),
);

const checkbox = z.lazy(() =>
  z
    .looseObject({
      elementType: z.literal('checkbox'),
      ...choiceFields,
      defaultValue: z.array(z.string()).optional().describe('`value`s of options'),
    })
    .describe('Any of several options'),
);

const dateTime = z.lazy(() =>
  z
    .looseObject({
      elementType: z.literal('dateTime'),
      elementId,
      label,
      optional: isOptional,
      defaultValue: z.string().optional(),
      mode: z.string().optional().describe('Such as `date`'),
      dateTimeFormat: z.string().optional().describe('Such as `yyyy-MM-dd`'),
      timezoneCode: z.string().optional().describe('Such as `Asia/Kolkata`'),
      from: z.string().optional().describe('The earliest that can be chosen'),
      to: z.string().optional().describe('The latest that can be chosen'),
      from1: z.string().optional().describe('In the specification without an explanation'),
      maxLines,
      placeholder,
    })
    .describe('A date, a time or both'),
);

const urlNavigation = z.lazy(() =>
  z.looseObject({ actionType: z.literal('urlNavigation'), url: z.string().min(1) }).describe('Opens an address'),
);

const apiAction = z.lazy(() =>
  z
    .looseObject({
      actionType: z.literal('apiAction'),
      url: z.string().min(1),
      method: z.string().optional().describe('HTTP method'),
      payload: z
        .looseObject({})
        .optional()
        .describe('Body of the request: in the specification, that of a message to send'),
      headers: z.record(z.string(), z.string()).optional().describe('Headers of the request'),
      dataKey: z.string().optional().describe('Under which key of the payload the answers go'),
    })
    .describe('Sends a request'),
);

const button = z.lazy(() =>
  z
    .looseObject({
      elementType: z.literal('button'),
      elementId,
      buttonText: z.string().optional(),
      disableAfterInteracted: z.boolean().optional(),
      action: z
        .discriminatedUnion('actionType', [urlNavigation, apiAction], 'expected "urlNavigation" or "apiAction"')
        .optional(),
    })
    .meta({ id: 'FormButton', description: 'A button' }),
);

const formElement = z.lazy(() =>
  z
    .discriminatedUnion(
      'elementType',
      [textInput, dropdown, singleSelect, checkbox, button, dateTime],
      'expected "textInput", "dropdown", "singleSelect", "checkbox", "button" or "dateTime"',
    )
    .meta({ id: 'FormElement', description: 'An element of a form' }),
);

/** `data` of an interactive message. */
export const formData = z.lazy(() =>
  z
    .looseObject({
      interactionGoal: z
        .looseObject({ type: z.string().describe('Such as `allOf`'), elementIds: z.array(z.string()) })
        .optional()
        .describe('Which elements must be answered before the form counts as answered'),
      allowSenderInteraction: z.boolean().optional().describe('Whether the sender may answer too'),
      interactiveData: z.looseObject({ title: z.string(), formFields: z.array(formElement), submitElement: button }),
    })
    .meta({ id: 'FormData', description: 'Content of a form, and when it counts as answered' }),
);

const interactiveMessage = z.lazy(() =>
  z
    .strictObject({ ...envelope, category: z.literal('interactive'), type: z.literal('form'), data: formData })
    .meta({ id: 'InteractiveMessageBody', title: 'Interactive', description: 'A form to be filled in' }),
);

/** The body with which a message is sent, in its three variants. */
export const messageBody = z.lazy(() =>
  z
    .discriminatedUnion(
      'category',
      [plainMessage, customMessage, interactiveMessage],
      'expected "message", "custom" or "interactive"',
    )
    .superRefine(({ receiver, receiverType, multipleReceivers }, context) => {
      const isMultiple = Boolean(multipleReceivers?.uids?.length || multipleReceivers?.guids?.length);
      if (isMultiple && receiver === undefined) return;
      const complain = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
      if (receiver === undefined || receiver === '')
        complain('receiver', 'expected a uid or guid, or multipleReceivers');
      if (receiverType === undefined) complain('receiverType', 'expected "user" or "group"');
    }),
);
