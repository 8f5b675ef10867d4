import { z } from 'zod';
import { entities } from './entities.ts';
import { freeForm, seconds, serverId } from './fields.ts';

export const receiverType = z.enum(['user', 'group']);

export const attachment = z.lazy(() =>
  z
    .looseObject({
      url: z.string(),
      name: z.string().optional(),
      extension: z.string().optional(),
      mimeType: z.string().optional(),
      size: z
        .union([z.string(), z.number()], 'expected a string or a number')
        .optional()
        .describe('Bytes; a string on the wire'),
    })
    .meta({ id: 'Attachment', description: 'A file, by reference' }),
);

const reaction = z.lazy(() =>
  z.looseObject({
    reaction: z.string(),
    count: z.number().describe('How many users reacted with it'),
    reactedByMe: z.boolean().optional().describe('Whether the user for whom the request acts reacted with it'),
  }),
);

/** An element of a form as the service answers it; `message-body.ts` has the shape that it takes, by type. */
const answeredElement = z.lazy(() =>
  z
    .looseObject({
      elementType: z
        .string()
        .optional()
        .describe('`textInput`, `dropdown`, `singleSelect`, `checkbox`, `button`, `dateTime`'),
      elementId: z.string().optional().describe('Unique in its form'),
    })
    .meta({ id: 'AnsweredFormElement', description: 'An element of a form, with the fields of its type' }),
);

const answeredForm = z.lazy(() =>
  z.looseObject({
    title: z.string().optional(),
    formFields: z.array(answeredElement).optional(),
    submitElement: answeredElement.optional(),
  }),
);

const interactionGoal = z.lazy(() =>
  z.looseObject({
    type: z.string().optional().describe('Such as `allOf`'),
    elementIds: z.array(z.string()).optional(),
  }),
);

/** `data` of a message as the service answers it. */
const answeredData = z.lazy(() =>
  z.looseObject({
    text: z.string().nullish().describe('Body, or caption of attachments'),
    attachments: z.array(attachment).optional(),
    metadata: freeForm.optional().describe('Free-form'),
    custodata: freeForm.optional().describe('Free-form, in imports'),
    customData: freeForm.optional().describe('For custom messages, as the hosted service spells it'),
    entities: entities.optional(),
    reactions: z.array(reaction).optional(),
    action: z.string().optional().describe('For calls and actions: such as `initiated`, `ongoing`, `kicked`'),
    interactiveData: answeredForm.optional().describe('For forms: title, fields and submit button'),
    interactionGoal: interactionGoal.optional().describe('For forms: when the form counts as answered'),
    allowSenderInteraction: z.boolean().optional().describe('For forms: whether the sender may answer too'),
  }),
);

/** A message as the service answers it. */
export const message = z.lazy(() =>
  z
    .looseObject({
      id: serverId,
      muid: z.string().optional().describe('Chosen by the sender or the import'),
      conversationId: z
        .string()
        .optional()
        .describe('`<uid>_user_<uid>`, the uids in ascending order, or `group_<guid>`'),
      sender: z.string().optional().describe('uid; `app_system` if no sender was named'),
      receiverType: z.string().optional().describe('`user` or `group`'),
      receiver: z.string().optional().describe('uid or guid'),
      category: z.string().optional().describe('`message`, `custom`, `interactive`, `action` or `call`'),
      type: z.string().optional().describe('Such as `text`, `image`, `file`, `audio`, `video`, `form`'),
      data: answeredData.optional(),
      sentAt: seconds.optional(),
      updatedAt: seconds.optional(),
      deliveredAt: seconds.optional(),
      readAt: seconds.optional(),
      tags: z.array(z.string()).optional(),
    })
    .meta({ id: 'Message', description: 'A message as the service answers it' }),
);
