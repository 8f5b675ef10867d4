import { z } from 'zod';
import { freeForm, seconds } from './fields.ts';

/** A user, as messages embed it. */
const user = z.lazy(() =>
  z
    .looseObject({
      uid: z.string(),
      name: z.string().optional(),
      avatar: z.string().nullish().describe('URL'),
      link: z.string().nullish().describe('URL'),
      role: z.string().optional().describe('`default` where none was given'),
      status: z.string().optional().describe('Such as `offline`'),
      metadata: freeForm.optional(),
      tags: z.array(z.string()).optional(),
      createdAt: seconds.optional(),
      updatedAt: seconds.optional(),
      lastActiveAt: seconds.optional(),
      conversationId: z.string().optional().describe('Only of a receiver'),
    })
    .meta({ id: 'User', description: 'A user' }),
);

export const group = z.lazy(() =>
  z
    .looseObject({
      guid: z.string(),
      name: z.string().optional(),
      description: z.string().nullish(),
      icon: z.string().nullish().describe('URL'),
      type: z.string().optional().describe('`public`, `private` or `password`'),
      membersCount: z.number().optional(),
      conversationId: z.string().optional().describe('`group_` and the guid'),
      createdAt: seconds.optional(),
      owner: z.string().nullish().describe('uid'),
      tags: z.array(z.string()).optional(),
      scope: z
        .string()
        .optional()
        .describe('Scope of the user for whom the request acts: `admin`, `moderator`, `participant`'),
      joinedAt: seconds.optional().describe('When the user for whom the request acts joined'),
      hasJoined: z.boolean().optional().describe('Whether the user for whom the request acts is a member'),
    })
    .meta({ id: 'Group', description: 'A group' }),
);

export type Group = z.output<typeof group>;

const call = z.lazy(() =>
  z
    .looseObject({
      sessionid: z.string(),
      type: z.string().optional().describe('`audio` or `video`'),
      sender: z.string().optional().describe('uid'),
      receiver: z.string().optional().describe('uid or guid'),
      receiverType: z.string().optional().describe('`user` or `group`'),
      status: z.string().optional().describe('Such as `initiated`, `ongoing`'),
      initiatedAt: seconds.optional(),
      joinedAt: seconds.optional(),
      startedAt: seconds.optional().describe('Only when ongoing'),
      conversationId: z.string().optional(),
      wsChannel: z
        .looseObject({ identity: z.string().optional(), secret: z.string().optional(), service: z.string().optional() })
        .optional()
        .describe('Channel to which clients of the call connect'),
      data: z
        .looseObject({ entities: z.looseObject({}).optional(), metadata: freeForm.optional() })
        .optional()
        .describe('Sender and receiver as entities, and free-form metadata'),
    })
    .meta({ id: 'Call', description: 'A call' }),
);

const withEntityType = <Entity extends z.ZodType>(entity: Entity) =>
  z.looseObject({ entity, entityType: z.string().optional().describe('Such as `user`, `group`, `call`') });

/** Who and what a message is about, filled in by the service. */
export const entities = z.lazy(() =>
  z
    .looseObject({
      sender: withEntityType(user).optional(),
      receiver: withEntityType(z.union([user, group])).optional(),
      by: withEntityType(user).optional().describe('For calls and actions: the user who acts'),
      on: withEntityType(z.union([call, user, z.looseObject({})]))
        .optional()
        .describe('For calls: the call. For actions: the object of the action'),
      for: withEntityType(z.union([user, group]))
        .optional()
        .describe('For calls and actions: the user or group concerned'),
    })
    .describe('Filled in by the service'),
);
