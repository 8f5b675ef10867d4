import { z } from 'zod';
import { formData } from './form.ts';
import { freeForm } from './fields.ts';
import { attachment, receiverType } from './message.ts';

const mediaTypes = ['image', 'file', 'audio', 'video'] as const;

/** To whom and under which id; the same in all three variants. */
const envelope = {
  receiver: z.string().optional().describe('uid or guid; needed unless `multipleReceivers` is given'),
  receiverType: receiverType.optional().describe('Needed beside `receiver`'),
  muid: z.string().min(1).optional().describe('Your own id of the message'),
  multipleReceivers: z
    .strictObject({ uids: z.array(z.string()).optional(), guids: z.array(z.string()).optional() })
    .optional()
    .describe('Sends to several users and groups'),
  tags: z.array(z.string()).optional(),
};

const plainData = z
  .looseObject({
    text: z.string().optional().describe('Body of a text message, caption of a media message'),
    attachments: z.array(attachment).optional().describe('Of a media message, at least one'),
    metadata: freeForm.optional().describe('Free-form'),
  })
  .describe('Attributes of the message. Keys that are not named here are stored as they come');

const plainMessage = z
  .strictObject({
    ...envelope,
    category: z.literal('message').optional().describe('`message` if not given'),
    type: z
      .enum(['text', ...mediaTypes])
      .optional()
      .describe('`text` if not given'),
    data: plainData,
  })
  .meta({ id: 'PlainMessageBody', title: 'Message', description: 'A text or media message' });

const customMessage = z
  .strictObject({
    ...envelope,
    category: z.literal('custom'),
    type: z.string().min(1).describe('Your own'),
    data: z
      .looseObject({
        customData: freeForm.optional().describe('The content, as the public service spells it'),
        custodata: freeForm.optional().describe('The content, as the specification spells it for imports'),
        text: z.string().optional(),
        metadata: freeForm.optional().describe('Free-form'),
      })
      .describe('The specification does not show its shape; the public service wants `customData`'),
  })
  .meta({ id: 'CustomMessageBody', title: 'Custom', description: 'A message of a type of your own' });

const interactiveMessage = z
  .strictObject({
    ...envelope,
    category: z.literal('interactive'),
    type: z.literal('form'),
    data: formData,
  })
  .meta({ id: 'InteractiveMessageBody', title: 'Interactive', description: 'A form to be filled in' });

/** The body with which a message is sent, in its three variants. */
export const messageBody = z
  .discriminatedUnion(
    'category',
    [plainMessage, customMessage, interactiveMessage],
    'expected "message", "custom" or "interactive"',
  )
  .superRefine(({ receiver, receiverType, multipleReceivers }, context) => {
    const isMultiple = Boolean(multipleReceivers?.uids?.length || multipleReceivers?.guids?.length);
    if (isMultiple && receiver === undefined) return;
    const complain = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (receiver === undefined || receiver === '') complain('receiver', 'expected a uid or guid, or multipleReceivers');
    if (receiverType === undefined) complain('receiverType', 'expected "user" or "group"');
  });
