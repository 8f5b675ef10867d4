import { type ErrorCode, commonErrors, errorCodes, type Operation } from '../src/service/operation.ts';
import { operations, describeOperation, type JsonSchema, buildJsonSchema } from '../src/service/operations.ts';
import { isRequired, buildPath, type QueryValue, isSecretParameter } from '../src/service/call-operation.ts';
import { type Pages, writePages } from './pages.ts';
import { cell, schemaTables, typeOf } from './schema-tables.ts';

const sandbox = 'http://127.0.0.1:4000';

/** A page that lists the operations of the chat service; and pages that the site alone has: for each area, and for the shapes that they share. */

export const serviceFolder = 'reference/service';

/** The title of an operation's page: its area, of which messages are two. */
const titleOf = ({ area, name }: Operation) => (name.startsWith('send') ? 'Sending messages' : area);

/** `API keys` is `api-keys`. */
const nameOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');

export const renderServiceApi = (): Pages => new Map([[`${serviceFolder}/index.md`, `${introduction()}\n`]]);

/** Markdown by the name of the page: `users`. */
export function renderServicePages(): Pages {
  const components = new Map<string, JsonSchema>();
  const areas = Map.groupBy(operations as readonly Operation[], titleOf);
  const pages = [...areas].map(([title, declared]) => {
    const sections = declared.map((operation) => operationSection(operation, components));
    const about = `Read this if you call the service about ${title === 'API keys' ? title : title.toLowerCase()}, or want to know what a call answers.`;
    const page = [`# Service: ${title}`, about, howToTry, ...sections].join('\n\n');
    return [nameOf(title), withShapes(`${page}\n`)] as const;
  });
  return new Map([...pages, ['shapes', shapesPage(components)]]);
}

function shapesPage(components: ReadonlyMap<string, JsonSchema>): string {
  const shapes = [...components].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const about = 'Read this if you came from an operation of the service and want the fields of a shape that it names.';
  const sections = shapes.map(
    ([name, schema]) => `## ${name}\n\n${String(schema.description)}.\n\n${schemaTables(schema)}`,
  );
  return `${['# Service: shapes', about, ...sections].join('\n\n')}\n`;
}

/** Links to shapes, which are on a page of their own. */
const withShapes = (page: string) => page.replaceAll('](#', '](shapes.md#');

const howToTry = `[The chat service](index.md) says how to try the examples, and which errors every operation may answer with.`;

function introduction(): string {
  return `# The chat service

Read this if you call the chat service from a program of yours, or want to know what Chatferry sends to it.

\`chatferry sandbox --openapi\` prints the whole description as OpenAPI 3.1; the site shows it, a page for each area (\`npm run docs\` builds it).
\`chatferry call NAME --help\` describes one operation. \`npm run service-api\` writes this page from the contract in \`src/service/contract/\`.

Every operation needs an API key with the scope \`fullAccess\` in the header \`apikey\`. Bodies are JSON. A success has status 200 and
is \`{"data": …}\`, lists with \`"meta"\` beside it. Times are Unix seconds where nothing else is said. Answers may hold more fields than are
named here.

To try it, start a sandbox in one terminal, and use the key in another. On a new data file with the demo all examples of the site succeed in
their order, and answer as is shown:

    CHATFERRY_API_KEY=local-key chatferry sandbox --seed demo
    export CHATFERRY_API_KEY=local-key

Two ways lead to each operation: HTTP, as the examples with curl show; and \`chatferry call\` (\`chatferry call --list\` shows all), which checks a request before it is sent, prints
the answer as JSON, and ends with exit code 0, 3 when the answer says that something in it was refused, 5 when the service refused the request
or could not be reached, 2 when the request was not acceptable and nothing was sent.

"Specification" marks what the specification of the service says, "hosted service" what the hosted service of this shape documents or was seen
to do, and "assumed" what neither says and the sandbox had to decide. The specification shows no errors and no rates: codes are those of the hosted
service, their statuses partly assumed.

| operation | | what it does |
|---|---|---|
${(operations as readonly Operation[]).map(indexRow).join('\n')}

Every operation may answer with these errors, as \`{"error": {"code": …, "message": …, "details": …}}\`:

${errorTable(commonErrors)}

A body that is too long, for a sandbox one of more than 16 MiB, is answered with status 413 and \`ERR_BAD_REQUEST\`.`;
}

function indexRow(operation: Operation): string {
  const { name, method, path, summary } = operation;
  return `| ${name} | \`${method} ${path}\` | ${summary} |`;
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
    ...(body ? ['Body:', schemaTables(buildJsonSchema(body, 'input', components))] : []),
    'Answer:',
    schemaTables(buildJsonSchema(answer, 'input', components)),
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
      return `| \`${name}\` | ${place} | ${cell(typeOf(buildJsonSchema(field, 'output', components)))} | ${cell(words)} |`;
    }),
  );
  return rows.length === 0 ? [] : [['| parameter | in | type | what it is |', '|---|---|---|---|', ...rows].join('\n')];
}

function curlOf(operation: Operation): string {
  const { method, params, headers, query, example } = operation;
  const of = (schema: typeof params) =>
    Object.fromEntries(Object.entries(example.parameters).filter(([name]) => name in (schema?.shape ?? {})));
  const path = buildPath(operation, of(params) as Record<string, string>, of(query) as Record<string, QueryValue>);
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

if (import.meta.main) writePages(serviceFolder, renderServiceApi());
