import { addFriends, blockUsers, removeFriends, unblockUsers } from './contract/relations.ts';
import { sendBotMessage, sendMessage } from './contract/send-message.ts';
import { deleteConversation, deleteGroup, getGroup, kickMember } from './contract/conversations.ts';
import { importGroups, importMembers, importUsers } from './import-directory.ts';
import { importMessages } from './import-item.ts';
import { updateApiKey } from './contract/keys.ts';
import { addReaction, listMessages, listUserMessages } from './contract/messages.ts';
import { deleteContactDetails, deleteSmsProvider, getContactDetails } from './contract/notifications.ts';
import { allowFeatures, deleteRole, listRestrictedFeatures } from './contract/roles.ts';
import { getMessageStats } from './contract/stats.ts';
import { activateUsers, deactivateUsers, updateAuthToken } from './contract/users.ts';
import { formatCount } from '../lib/text/count.ts';
import { z } from 'zod';
import { version } from '../lib/version.ts';
import {
  commonErrors,
  errorBody,
  type ErrorCode,
  errorCodes,
  type Area,
  type Note,
  type Operation,
  publicRatesPerMinute,
  type RateClass,
} from './operation.ts';
import { publicBaseUrl } from './profiles.ts';

/** Every operation by its name, in the order of the specification; behind them those that it does not have. */
const byName = {
  updateApiKey,
  updateAuthToken,
  deactivateUsers,
  activateUsers,
  addFriends,
  removeFriends,
  blockUsers,
  unblockUsers,
  listRestrictedFeatures,
  allowFeatures,
  deleteRole,
  getGroup,
  deleteGroup,
  kickMember,
  sendMessage,
  sendBotMessage,
  importMessages,
  listMessages,
  listUserMessages,
  addReaction,
  deleteConversation,
  getMessageStats,
  getContactDetails,
  deleteContactDetails,
  deleteSmsProvider,
  importUsers,
  importGroups,
  importMembers,
};

export type OperationName = keyof typeof byName;

/** The declarations, with the types of their schemas. */
export type Operations = typeof byName;

/** Every operation, in the order of the specification. */
export const operations: readonly Operations[OperationName][] = Object.values(byName);

/** The operation of that name. Names are checked by types: whatever comes from outside is looked for in `operations`. */
export const operationNamed = (name: OperationName): Operation => byName[name];

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the service as an OpenAPI 3.1 document, made from the contract.
 *
 * @param sandboxUrl address at which a sandbox serves it.
 */
export function openApiDocument(sandboxUrl = 'http://127.0.0.1:4000'): JsonSchema {
  const schemas = new Map<string, JsonSchema>();
  // Named first: every answer that is an error refers to it.
  buildJsonSchema(errorBody, 'input', schemas);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation, schemas) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Chat service',
      version: 'v3',
      summary: 'Users, groups, messages and imports of a hosted chat service',
      description:
        `The service as Chatferry ${version} knows it, and as its sandbox answers. Every operation needs a key with the scope ` +
        '`fullAccess` in the header `apikey`. A success has status 200. Times are Unix seconds where nothing else is said.',
    },
    servers: [
      { url: sandboxUrl, description: 'chatferry sandbox' },
      {
        url: decodeURIComponent(publicBaseUrl('{appId}', '{region}')),
        description: 'An app of the hosted service',
        variables: { appId: { default: 'app' }, region: { enum: ['us', 'eu', 'in'], default: 'us' } },
      },
    ],
    security: [{ apikey: [] }],
    tags: [...new Set<Area>(operations.map(({ area }) => area))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apikey: { type: 'apiKey', in: 'header', name: 'apikey', description: 'API key with the scope `fullAccess`' },
      },
      schemas: Object.fromEntries([...schemas].toSorted(([one], [other]) => (one < other ? -1 : 1))),
    },
  };
}

function operationObject(operation: Operation, schemas: Map<string, JsonSchema>): JsonSchema {
  const { name, summary, area, body, deprecated } = operation;
  return {
    operationId: name,
    tags: [area],
    summary,
    description: describeOperation(operation),
    ...(deprecated !== undefined && { deprecated: true }),
    parameters: listParameters(operation, schemas),
    ...(body && {
      requestBody: { required: true, content: json(buildJsonSchema(body, 'input', schemas), operation.example.body) },
    }),
    responses: {
      200: {
        description: 'Success',
        content: json(buildJsonSchema(operation.answer, 'input', schemas), operation.example.answer),
      },
      ...errorResponses(operation),
    },
  };
}

const json = (schema: JsonSchema, example: unknown): JsonSchema => ({ 'application/json': { schema, example } });

function listParameters(operation: Operation, schemas: Map<string, JsonSchema>): JsonSchema[] {
  const places = [
    ['path', operation.params],
    ['header', operation.headers],
    ['query', operation.query],
  ] as const;
  return places.flatMap(([place, object]) =>
    Object.entries(object?.shape ?? {}).map(([name, field]) => {
      const { description, ...schema } = buildJsonSchema(field, 'output', schemas);
      const example = operation.example.parameters[name];
      return {
        name,
        in: place,
        required: !field.safeParse(undefined).success,
        description,
        schema,
        ...(example !== undefined && { example }),
      };
    }),
  );
}

/** One answer per status, with an example per code. */
function errorResponses({ errors, body }: Operation): Record<string, JsonSchema> {
  const byStatus = Object.groupBy(new Set<ErrorCode>([...commonErrors, ...errors]), (code) => errorCodes[code].status);
  const responses = Object.entries(byStatus).map(([status, codes = []]) => [status, errorResponse(codes)] as const);
  return { ...Object.fromEntries(responses), ...(body && { 413: tooLarge }) };
}

const tooLarge = {
  ...errorResponse(['ERR_BAD_REQUEST']),
  description: 'The body is too long: more than 16 MiB for a sandbox. `ERR_BAD_REQUEST`.',
};

function errorResponse(codes: readonly ErrorCode[]): JsonSchema {
  const examples = codes.map(
    (code) => [code, { value: { error: { message: errorCodes[code].means, code } } }] as const,
  );
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].means}.`).join('\n\n'),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** Returns what a user must know about an operation beyond its shapes, as Markdown. */
export function describeOperation(operation: Operation): string {
  const { notes = [], itemErrors = [], deprecated, rateClass, isSpecified } = operation;
  const paragraphs = [
    ...(deprecated === undefined ? [] : [`Deprecated. ${deprecated}`]),
    ...(isSpecified === false ? ['Documented, not specified: only the hosted service has it.'] : []),
    ...notes.map(({ from, says }) => `${sources[from]}: ${says}`),
    ...(itemErrors.length === 0 ? [] : [`Inside an answer single items may be refused: ${describeCodes(itemErrors)}.`]),
    `The hosted service allows ${rateText(rateClass)}.`,
  ];
  return paragraphs.join('\n\n');
}

/** Whose word a note is. */
const sources: Readonly<Record<Note['from'], string>> = {
  specification: 'Specification',
  public: 'Hosted service',
  assumed: 'Assumed',
};

const describeCodes = (codes: NonNullable<Operation['itemErrors']>) =>
  codes.map((code) => `\`${code}\` (${errorCodes[code].means})`).join(', ');

function rateText(rateClass: RateClass): string {
  const count = formatCount(publicRatesPerMinute[rateClass]);
  return rateClass === 'send' ? `${count} such requests per minute and sender` : `${count} requests per minute`;
}

/**
 * The JSON Schema (2020-12) of what goes over the wire. Schemas with a name are referred to as `#/components/schemas/Name`
 * and put into `components`.
 *
 * @param io `input`: bodies, which are described as they are written. `output`: parameters, whose text stands for a value.
 */
export function buildJsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Map<string, JsonSchema>,
): JsonSchema {
  // Around it, because the outermost schema would not be referred to by its name.
  const { properties, $defs = {} } = z.toJSONSchema(z.object({ schema }), { io, override: removeOurs }) as unknown as {
    readonly properties: { readonly schema: JsonSchema };
    readonly $defs?: Readonly<Record<string, JsonSchema>>;
  };
  for (const [name, definition] of Object.entries($defs)) components.set(name, referringToComponents(definition));
  return referringToComponents(properties.schema);
}

/** Removes Chatferry's notes about schemas, which JSON Schema does not know. */
function removeOurs({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void {
  delete jsonSchema.id;
  delete jsonSchema.isSecret;
}

const referringToComponents = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
