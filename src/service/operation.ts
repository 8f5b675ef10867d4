import examples from './contract/examples.json' with { type: 'json' };
import { z } from 'zod';

/**
 * One operation of the service, declared once. The client, the sandbox, `chatferry call`, the OpenAPI document and the
 * reference page all read it; each of them brings its own logic.
 *
 * Requests are as strict as the specification; answers are described loosely: a field that we do not know never breaks a client.
 * No name occurs twice among the fields of `params`, `headers` and `query`: together they are the arguments of a call.
 */
export interface Operation {
  /** Unique, never changes: `listMessages`. */
  readonly name: string;
  /** One line for tables, without a full stop. */
  readonly summary: string;
  readonly area: Area;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Parameters are in braces: `/v3/groups/{guid}`. */
  readonly path: `/v3/${string}`;
  /** One field per brace. */
  readonly params?: z.ZodObject;
  /** Besides `apikey`, which every operation needs. Names as the service spells them. */
  readonly headers?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Body of a successful answer, which always has status 200. */
  readonly answer: z.ZodType;
  /** Why the request as a whole may be refused, besides `commonErrors`. */
  readonly errors: readonly ErrorCode[];
  /** Why one item of it may be refused inside an answer that is a success. */
  readonly itemErrors?: readonly ErrorCode[];
  /** Class in which the hosted service counts it; see `publicRatesPerMinute`. The specification shows no rates. */
  readonly rateClass: RateClass;
  /** Facts beyond the shapes, each with its source. */
  readonly notes?: readonly Note[];
  /** `false`: the specification does not have it; the hosted service documents it. */
  readonly isSpecified?: false;
  /** Present if the specification advises against it: what to use instead. */
  readonly deprecated?: string;
  /** From `examples.json`. The people in them do not exist. */
  readonly example: Example;
}

export type Area =
  | 'API keys'
  | 'Users'
  | 'Friends'
  | 'Blocked users'
  | 'Roles'
  | 'Groups'
  | 'Messages'
  | 'Import'
  | 'Conversations'
  | 'Statistics'
  | 'Notifications';

/** The specification; what the hosted service documents or was seen to do (2026-11); or neither, so that we had to choose. */
export interface Note {
  readonly from: 'specification' | 'public' | 'assumed';
  readonly says: string;
}

export const specified = (says: string): Note => ({ from: 'specification', says });
export const documented = (says: string): Note => ({ from: 'public', says });
export const assumed = (says: string): Note => ({ from: 'assumed', says });

/** A call that fits the schemas, and its answer. */
export interface Example {
  /** Parameters of path, headers and query by name. */
  readonly parameters: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly body?: unknown;
  readonly answer: unknown;
}

export type RateClass = 'import' | 'core' | 'standard' | 'send';

/**
 * Requests per minute that the hosted service allows, by class (rate limit page, 2026-11): all operations of a class together,
 * of `send` those of one sender. The specification shows no rates.
 */
export const publicRatesPerMinute: Readonly<Record<RateClass, number>> = {
  import: 60,
  core: 10_000,
  standard: 20_000,
  send: 30,
};

type Usual = Pick<Operation, 'errors' | 'rateClass'>;
type Declaration = Omit<Operation, 'example' | keyof Usual> & Partial<Usual>;

/** Adds the example of that name. By default it has no errors of its own, and is of the class `standard`. Keeps the types of the schemas. */
export const defineOperation = <const Declared extends Declaration>(
  declared: Declared,
): Declared & Usual & { readonly example: Example } => ({
  errors: [],
  rateClass: 'standard',
  ...declared,
  example: (examples as Readonly<Record<string, Example>>)[declared.name]!,
});

/**
 * Body of an answer that is not a success. The specification does not show it; this is what the hosted service answers:
 * `{"error":{"message":"…","devMessage":"…","source":"…","code":"AUTH_ERR_APIKEY_NOT_FOUND"}}` (2026-11).
 */
export const errorBody = z.lazy(() =>
  z
    .looseObject({
      error: z.looseObject({
        message: z.string().describe('Error description for people'),
        devMessage: z.string().optional().describe('The same for developers'),
        source: z.string().optional().describe('The part of the service that answers'),
        code: z.string().describe('Error code for programs'),
        details: z
          .record(z.string(), z.array(z.string()))
          .optional()
          .describe('For a failed validation: sentences by field'),
      }),
    })
    .meta({ id: 'Error', description: 'Body of every answer that is not a success' }),
);

interface ErrorFacts {
  readonly status: number;
  /** `observed` in answers of the hosted service, known from `clients` of it, or `assumed`. The specification shows no status. */
  readonly statusIs: 'observed' | 'clients' | 'assumed';
  readonly means: string;
}

const error = (status: number, statusIs: ErrorFacts['statusIs'], means: string): ErrorFacts => ({
  status,
  statusIs,
  means,
});

/** The service's codes that something here answers or looks for (error guide of the hosted service, 2026-11). */
export const errorCodes = {
  AUTH_ERR_EMPTY_APIKEY: error(401, 'assumed', 'The request has no `apikey` header'),
  AUTH_ERR_APIKEY_NOT_FOUND: error(401, 'observed', 'The API key does not exist'),
  AUTH_ERR_NO_ACCESS: error(403, 'clients', 'The API key has not the scope `fullAccess`'),

  ERR_API_NOT_FOUND: error(404, 'assumed', 'No operation has this path and method'),
  ERR_BAD_REQUEST: error(400, 'observed', 'A parameter or the body is not acceptable; `details` says which field'),
  ERR_TOO_MANY_REQUESTS: error(429, 'observed', 'Too many requests; `Retry-After` says how long to wait'),
  ERR_EXCEPTION: error(500, 'observed', 'Something went wrong; part of the request may have been applied'),

  ERR_APIKEY_NOT_FOUND: error(404, 'assumed', 'The API key to update does not exist'),
  ERR_APIKEY_NO_SELF_ACTION: error(403, 'assumed', 'An API key cannot update itself'),
  ERR_AUTH_TOKEN_NOT_FOUND: error(404, 'assumed', 'The auth token does not exist'),
  ERR_AUTHTOKEN_NOT_ACCESSIBLE: error(403, 'assumed', 'The auth token belongs to another user'),

  ERR_UID_NOT_FOUND: error(404, 'clients', 'The user does not exist, or is deactivated'),
  ERR_BOT_NOT_FOUND: error(404, 'assumed', 'The bot does not exist'),
  ERR_ROLE_NOT_FOUND: error(404, 'assumed', 'The role does not exist'),
  ERR_ROLE_DELETE_DENIED: error(403, 'assumed', 'The default role cannot be deleted'),

  ERR_ALREADY_FRIEND: error(409, 'assumed', 'The two users are friends already'),
  ERR_NOT_A_FRIEND: error(400, 'assumed', 'The two users are not friends'),
  ERR_CANNOT_FORM_SELF_RELATION: error(400, 'assumed', 'A user cannot befriend itself'),
  ERR_CANNOT_BLOCK_SELF: error(400, 'assumed', 'A user cannot block itself'),

  ERR_GUID_NOT_FOUND: error(404, 'clients', 'The group does not exist'),
  ERR_GROUP_NOT_JOINED: error(403, 'assumed', 'The user is no member of the group'),
  ERR_NOT_A_MEMBER: error(404, 'assumed', 'The user to remove is no member of the group'),
  ERR_GROUP_NO_ADMIN_SCOPE: error(403, 'assumed', 'Only an admin of the group may do this'),
  ERR_GROUP_NO_MODERATOR_SCOPE: error(403, 'assumed', 'Only a moderator or admin of the group may do this'),
  ERR_GROUP_NO_CLEARANCE: error(403, 'assumed', 'The member to remove has a higher scope than the acting user'),
  ERR_GROUP_NO_SELF_ACTION: error(403, 'assumed', 'A member cannot remove itself'),

  ERR_EMPTY_RECEIVER: error(400, 'assumed', 'The receiver is missing or empty'),
  ERR_INVALID_RECEIVER_TYPE: error(400, 'assumed', '`receiverType` is neither `user` nor `group`'),
  ERR_INVALID_MESSAGE_CATEGORY: error(400, 'assumed', 'Messages of this category cannot be sent or imported'),
  ERR_INVALID_MESSAGE_TYPE: error(400, 'assumed', 'The category has no such type'),
  ERR_INVALID_MESSAGE_DATA: error(400, 'assumed', '`data` has not the shape that its category needs'),
  ERR_INVALID_MESSAGE_TEXT: error(400, 'assumed', '`data.text` is no text'),
  ERR_EMPTY_MESSAGE_TEXT: error(400, 'assumed', 'A text message without text'),
  ERR_EMPTY_MESSAGE_FILE: error(400, 'assumed', 'A media message without attachments'),
  ERR_INVALID_MEDIA_MESSAGE: error(400, 'assumed', '`data.attachments` has not the shape of attachments'),
  ERR_EMPTY_CUSTOM_DATA: error(400, 'assumed', 'A custom message without `data.customData`'),
  ERR_INVALID_CUSTOM_DATA: error(400, 'assumed', '`data.customData` is no object'),
  ERR_INVALID_METADATA: error(400, 'assumed', '`data.metadata` is no object'),
  ERR_BLOCKED_RECEIVER: error(403, 'assumed', 'The sender has blocked the receiver'),
  ERR_BLOCKED_SENDER: error(403, 'assumed', 'The receiver has blocked the sender'),
  ERR_MESSAGE_ID_NOT_FOUND: error(404, 'assumed', 'The message does not exist'),
  ERR_MESSAGE_NO_ACCESS: error(403, 'assumed', 'The user takes no part in the conversation of the message'),
  ERR_CONVERSATION_NOT_FOUND: error(404, 'assumed', 'The conversation does not exist'),
  ERR_CONVERSATION_NOT_ACCESSIBLE: error(403, 'assumed', 'The user takes no part in the conversation'),

  ERR_IMPORT_INVALID_MESSAGE_FORMAT: error(400, 'assumed', '`messages` is no object of messages by their muid'),
  ERR_IMPORT_INVALID_USER_FORMAT: error(400, 'assumed', '`users` is no object of users by their uid'),
  ERR_IMPORT_INVALID_GROUP_FORMAT: error(400, 'assumed', '`groups` is no object of groups by their guid'),
  ERR_IMPORT_INVALID_MEMBER_FORMAT: error(400, 'assumed', '`members` is no object of members by their keys'),
  ERR_IMPORT_INVALID_JOINEDAT: error(400, 'assumed', '`joinedAt` is not between the `createdAt` of the group and now'),
  ERR_UID_ALREADY_EXISTS: error(409, 'clients', 'A user with this uid exists already'),
  ERR_GUID_ALREADY_EXISTS: error(409, 'clients', 'A group with this guid exists already'),
  ERR_ALREADY_JOINED: error(409, 'assumed', 'The user is a member of the group already'),
  ERR_IMPORT_MUID_ALREADY_EXISTS: error(409, 'assumed', 'A message with this muid exists already'),
} as const satisfies Readonly<Record<string, ErrorFacts>>;

export type ErrorCode = keyof typeof errorCodes;

export const commonErrors = [
  'AUTH_ERR_EMPTY_APIKEY',
  'AUTH_ERR_APIKEY_NOT_FOUND',
  'AUTH_ERR_NO_ACCESS',
  'ERR_BAD_REQUEST',
  'ERR_TOO_MANY_REQUESTS',
  'ERR_EXCEPTION',
] as const satisfies readonly ErrorCode[];
