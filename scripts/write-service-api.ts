import { writeFileSync } from 'node:fs';
import { type ErrorCode, commonErrors, errorCodes } from '../src/service/error-codes.ts';
import type { Operation } from '../src/service/operation.ts';
import { operations } from '../src/service/operations.ts';
import { describeOperation, type JsonSchema, jsonSchemaOf } from '../src/service/openapi.ts';
import { isRequired, pathOf, type QueryValue } from '../src/service/prepare-request.ts';
import { isSecretParameter } from '../src/service/credentials.ts';
import { cell, schemaTables, typeOf } from './schema-tables.ts';

const sandbox = 'http://127.0.0.1:4000';

/** docs/reference/service-api.md: every operation as the contract declares it. */
export function renderServiceApi(): string {
  const components = new Map<string, JsonSchema>();
  const sections = (operations as readonly Operation[]).map((operation) => operationSection(operation, components));
  const shapes = [...components].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    introduction(),
    ...sections,
    '# Shapes',
    ...shapes.map(([name, schema]) => `## ${name}\n\n${String(schema.description)}.\n\n${schemaTables(schema)}`),
  ]
    .join('\n\n')
    .concat('\n');
}

function introduction(): string {
  return `# The chat service

Made by \`npm run service-api\` from the contract in \`src/service/contract/\`. The same as OpenAPI 3.1: \`chatferry sandbox --openapi\`.

Every operation needs an API key with the scope \`fullAccess\` in the header \`apikey\`. Bodies are JSON. A success has status 200 and
is \`{"data": …}\`, lists with \`"meta"\` beside it. Times are Unix seconds where nothing else is said. Answers may hold more fields than are
named here.

To try it, start a sandbox in one terminal, and use the key in another. On a new data file with the demo all examples below succeed in
their order, and answer as is shown:

    CHATFERRY_API_KEY=local-key chatferry sandbox --seed demo
    export CHATFERRY_API_KEY=local-key

Three ways lead to each operation: HTTP, as the examples with curl show; \`chatferry call\` (\`chatferry call --list\` shows all), which checks a request before it is sent, prints
the answer as JSON, and ends with exit code 0, 3 when the answer says that something in it was refused, 5 when the service refused the request
or could not be reached, 2 when the request was not acceptable and nothing was sent; and in TypeScript

    import { ChatServiceClient } from 'chatferry';

    const client = new ChatServiceClient({ baseUrl: '${sandbox}', apiKey: process.env.CHATFERRY_API_KEY! });
    const { data } = await client.listMessages({ conversationId: 'group_team', limit: 100 });

whose methods are called like the operations. It makes one request per call and repeats nothing; what is not a success is a \`ChatServiceError\`
with \`status\`, \`code\`, \`message\`, \`details\`, \`requestId\` and \`retryAfterMs\`.

"Specification" marks what the specification of the service says, "public service" what the public service of this shape documents or was seen
to do, and "assumed" what neither says and the sandbox had to decide. The specification shows no errors and no rates: codes are those of the public
service, their statuses partly assumed.

| operation | | what it does |
|---|---|---|
${operations.map(({ name, method, path, summary }) => `| [${name}](#${name.toLowerCase()}) | \`${method} ${path}\` | ${summary} |`).join('\n')}

Every operation may answer with these errors, as \`{"error": {"code": …, "message": …, "details": …}}\`:

${errorTable(commonErrors)}

A body that is too long, for a sandbox one of more than 16 MiB, is answered with status 413 and \`ERR_BAD_REQUEST\`.`;
}

function errorTable(codes: readonly ErrorCode[]): string {
  const rows = codes.map((code) => {
    const { status, statusIs, means } = errorCodes[code];
    return `| \`${code}\` | ${status}${statusIs === 'assumed' ? ' (assumed)' : ''} | ${cell(means)} |`;
  });
  return ['| code | status | what it means |', '|---|---|---|', ...rows].join('\n');
}

function operationSection(operation: Operation, components: Map<string, JsonSchema>): string {
  const { name, summary, method, path, body, answer, errors, example } = operation;
  const parts = [
    `## ${name}`,
    `${summary}: \`${method} ${path}\``,
    describeOperation(operation),
    ...parameterTable(operation, components),
    ...(body ? ['Body:', schemaTables(jsonSchemaOf(body, 'input', components))] : []),
    'Answer:',
    schemaTables(jsonSchemaOf(answer, 'input', components)),
    ...(errors.length > 0 ? ['Errors besides the common ones:', errorTable(errors)] : []),
    fenced('sh', `${curlOf(operation)}\n\n${callOf(operation)}`),
    fenced('json', JSON.stringify(example.answer, undefined, 2)),
  ];
  return parts.join('\n\n');
}

function parameterTable(operation: Operation, components: Map<string, JsonSchema>): string[] {
  const { params, headers, query } = operation;
  const rows = Object.entries({ path: params, header: headers, query }).flatMap(([place, schema]) =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => {
      const words = [field.description, isRequired(field) ? 'Required' : undefined].filter(Boolean).join('. ');
      return `| \`${name}\` | ${place} | ${cell(typeOf(jsonSchemaOf(field, 'output', components)))} | ${cell(words)} |`;
    }),
  );
  return rows.length === 0 ? [] : [['| parameter | in | type | what it is |', '|---|---|---|---|', ...rows].join('\n')];
}

function curlOf(operation: Operation): string {
  const { method, params, headers, query, example } = operation;
  const of = (schema: typeof params) =>
    Object.fromEntries(Object.entries(example.parameters).filter(([name]) => name in (schema?.shape ?? {})));
  const path = pathOf(operation, of(params) as Record<string, string>, of(query) as Record<string, QueryValue>);
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(sandbox + path)}`,
    `-H "apikey: $CHATFERRY_API_KEY"`,
    ...Object.entries(of(headers)).map(([name, value]) => `-H ${quoted(`${name}: ${String(value)}`)}`),
    ...(example.body === undefined
      ? []
      : [`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(example.body))}`]),
  ].join(' \\\n  ');
}

function callOf(operation: Operation): string {
  const { name, example } = operation;
  const flags = Object.entries(example.parameters).map(([name, value]) =>
    isSecretParameter(operation, name) ? `--${name} @secret.txt` : `--${name} ${quoted(String(value))}`,
  );
  const data = example.body === undefined ? [] : ['--data @body.json'];
  return `chatferry call ${[name, ...flags, ...data, `--to ${sandbox}`].join(' ')}`;
}

/** As one word of a shell. */
const quoted = (text: string) => (/^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

if (import.meta.main) writeFileSync(new URL('../docs/reference/service-api.md', import.meta.url), renderServiceApi());
