import { version } from '../lib/version.ts';
import { commonErrors, type ErrorCode, errorBody, errorCodes } from './contract/errors.ts';
import type { Area, Operation } from './contract/operation.ts';
import { operations } from './contract/operations.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { describeOperation } from './operation-text.ts';
import { publicBaseUrl } from './profiles.ts';

/** The service as an OpenAPI 3.1 document, made from the contract. */
export function openApiDocument(): JsonSchema {
  const schemas = new Map<string, JsonSchema>();
  // Named first: every answer that is an error refers to it.
  jsonSchemaOf(errorBody, 'input', schemas);
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
      { url: 'http://127.0.0.1:4000', description: 'chatferry sandbox' },
      {
        url: decodeURIComponent(publicBaseUrl('{appId}', '{region}')),
        description: 'An app of the public service',
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
    parameters: parametersOf(operation, schemas),
    ...(body && {
      requestBody: { required: true, content: json(jsonSchemaOf(body, 'input', schemas), operation.example.body) },
    }),
    responses: {
      200: {
        description: 'Success',
        content: json(jsonSchemaOf(operation.answer, 'input', schemas), operation.example.answer),
      },
      ...errorResponses(operation),
    },
  };
}

function json(schema: JsonSchema, example: unknown): JsonSchema {
  return { 'application/json': { schema, example } };
}

function parametersOf(operation: Operation, schemas: Map<string, JsonSchema>): JsonSchema[] {
  const places = [
    ['path', operation.params],
    ['header', operation.headers],
    ['query', operation.query],
  ] as const;
  return places.flatMap(([place, object]) =>
    Object.entries(object?.shape ?? {}).map(([name, field]) => {
      const { description, ...schema } = jsonSchemaOf(field, 'output', schemas);
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
function errorResponses({ errors }: Operation): Record<string, JsonSchema> {
  const byStatus = Object.groupBy(new Set<ErrorCode>([...commonErrors, ...errors]), (code) => errorCodes[code].status);
  const responses = Object.entries(byStatus).map(([status, codes = []]) => [status, errorResponse(codes)] as const);
  return Object.fromEntries(responses);
}

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
