import { z } from 'zod';
import { UsageError } from '../lib/errors.ts';
import type { Operation } from './operation.ts';
import { type Profile, profiles } from './profiles.ts';
import type { TransportRequest, Transport } from './transport.ts';
import { redact, redactId, Secret } from '../lib/secret.ts';
import type { MessagePage } from './outcome.ts';
import type { AnyOutcome, MessageAnswer } from './outcome.ts';

/** Arguments of an operation. */
export interface CallArguments {
  /** Parameters of path, headers and query, by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** The body as it goes on the wire, if it already exists as JSON; it is sent unchanged. */
  readonly bodyText?: string;
}

/**
 * The request of a call, without a key. It holds what the caller gave: nothing is converted or filled in.
 *
 * @param profile says how the service wants lists in a query.
 * @throws UsageError that names every parameter and every place of the body that is not what the contract wants.
 */
export function prepareRequest(
  operation: Operation,
  { parameters, body, bodyText }: CallArguments,
  profile?: Profile['name'],
): TransportRequest {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const params = pick(given, operation.params);
  const headers = pick(given, operation.headers);
  const query = pick(given, operation.query);
  const complaints = [
    ...given.filter(([name]) => !isParameter(operation, name)).map(([name]) => `${name}: there is no such parameter`),
    ...findingsIn(operation.params, params).map(asParameter),
    ...findingsIn(operation.headers, headers).map(asParameter),
    ...Object.entries(headers).flatMap(headerComplaint),
    ...findingsIn(operation.query, query).map(asParameter),
    ...bodyComplaints(operation, body),
  ];
  if (complaints.length > 0) throw notAcceptable(operation, complaints);
  return {
    method: operation.method,
    path: buildPath(operation, params as Record<string, string>, query as Record<string, QueryValue>, profile),
    headers: headers as Record<string, string>,
    ...(operation.body && { body: bodyText ?? JSON.stringify(body) }),
  };
}

type Given = readonly (readonly [string, unknown])[];

const isIn = (schema: z.ZodObject | undefined, name: string) =>
  schema !== undefined && Object.hasOwn(schema.shape, name);

const isParameter = ({ params, headers, query }: Operation, name: string) =>
  [params, headers, query].some((schema) => isIn(schema, name));

const pick = (given: Given, schema: z.ZodObject | undefined): Record<string, unknown> =>
  Object.fromEntries(given.filter(([name]) => isIn(schema, name)));

function findingsIn(schema: z.ZodType | undefined, value: unknown): Finding[] {
  return describeIssues(schema?.safeParse(value).error?.issues ?? [], value);
}

const asParameter = ({ pointer, sentence }: Finding) => `${pointer.slice(1)}: ${sentence}`;

/** Only visible ASCII can be the value of a header. */
function headerComplaint([name, value]: readonly [string, unknown]): string[] {
  return typeof value !== 'string' || /^[\x21-\x7e]*$/.test(value)
    ? []
    : [`${name}: expected visible ASCII characters, found ${JSON.stringify(value)}`];
}

function bodyComplaints(operation: Operation, body: unknown): string[] {
  if (!operation.body) return body === undefined ? [] : ['body: the operation takes none'];
  if (body === undefined) return ['body: expected an object, found nothing'];
  return findingsIn(operation.body, body).map(
    ({ pointer, sentence }) => `body${pointer && ` ${pointer}`}: ${sentence}`,
  );
}

function notAcceptable(operation: Operation, complaints: readonly string[]): UsageError {
  const shown = complaints.slice(0, complaintsMax);
  const more = complaints.length - shown.length;
  const list = more > 0 ? [...shown, `and ${more} more`] : shown;
  const message =
    list.length === 1
      ? `Cannot call ${operation.name}: ${list[0]}`
      : `Cannot call ${operation.name}:\n  ${list.join('\n  ')}`;
  return new UsageError(message, { hint: `chatferry call ${operation.name} --help describes its input` });
}

/** So many are listed. An import may be wrong in every message. */
const complaintsMax = 20;

export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** The path of an operation with its parameters percent-encoded, and the query behind it. */
export function buildPath(
  operation: Operation,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, QueryValue>> = {},
  profile: Profile['name'] = 'spec',
): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(params[name] ?? '', name));
  const search = encodeQuery(query, profiles[profile].listsAs);
  return search === '' ? path : `${path}?${search}`;
}

function encodeQuery(query: Readonly<Record<string, QueryValue>>, listsAs: Profile['listsAs']): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value !== 'object') search.append(name, String(value));
    else
      for (const [index, one] of value.entries())
        search.append(listsAs === 'indexed' ? `${name}[${index}]` : name, one);
  }
  return search.toString();
}

function encodeSegment(value: string, name: string): string {
  // No encoding keeps a dot segment from being taken for a way up.
  if (value === '' || value === '.' || value === '..') {
    throw new UsageError(`Cannot make a request: "${value}" is no ${name}`);
  }
  return encodeURIComponent(value.toWellFormed());
}

/** Allowed values of a parameter in a path, a header or a query. */
export type ParameterKind =
  | { readonly is: 'text' | 'integer' | 'boolean' | 'list' }
  | { readonly is: 'choice'; readonly choices: readonly string[] };

/** Read from the schema of the contract. */
export function parameterKind(schema: z.ZodType): ParameterKind {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodEnum) return { is: 'choice', choices: inner.options.map(String) };
  if (inner instanceof z.ZodArray) return { is: 'list' };
  if (!(inner instanceof z.ZodPipe)) return { is: 'text' };
  return { is: inner.out instanceof z.ZodBoolean ? 'boolean' : 'integer' };
}

/** Whether a call is refused without it. */
export const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;

type Issue = z.core.$ZodIssue;

/** An error in one part of a value. */
export interface Finding {
  /** JSON Pointer (RFC 6901): `/data/text`; empty for the value itself. */
  readonly pointer: string;
  /** Expected and actual value: `expected string, found 5`. */
  readonly sentence: string;
}

/** Zod's findings as places and sentences. @param value what was checked. */
export function describeIssues(issues: readonly Issue[], value: unknown): Finding[] {
  return issues.flatMap((issue) => describe(issue, value));
}

function describe(issue: Issue, value: unknown): Finding[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ pointer: toPointer([...issue.path, key]), sentence: 'there is no such field' }));
  }
  const branch = issue.code === 'invalid_union' ? closestBranch(issue.errors) : undefined;
  if (branch) {
    const inner = branch.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
    return describeIssues(inner, value);
  }
  return [{ pointer: toPointer(issue.path), sentence: `${wantedBy(issue)}, found ${foundAt(issue.path, value)}` }];
}

/** Returns the alternative that the value was nearest to: the one whose error is deepest; undefined if it resembles none of them. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depthOf = (branch: readonly Issue[]) => Math.max(...branch.map(({ path }) => path.length));
  const deepest = branches.toSorted((one, other) => depthOf(other) - depthOf(one))[0];
  return deepest && depthOf(deepest) > 0 ? deepest : undefined;
}

function wantedBy(issue: Issue): string {
  if (issue.code === 'invalid_type') return `expected ${issue.expected}`;
  if (issue.code === 'invalid_value')
    return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  return issue.message.replace(/^Invalid (?:input|option): /, '');
}

/** The value as JSON, shortened: it may be long. */
function foundAt(path: readonly PropertyKey[], value: unknown): string {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return 'nothing';
    found = (found as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  const json = JSON.stringify(found) ?? 'nothing';
  return (json.length > 60 ? `${json.slice(0, 59)}…` : json).toWellFormed();
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * A transport whose requests carry the key, and say what they bring and want.
 *
 * @throws UsageError if the key cannot be a header's value.
 */
export function withApiKey(transport: Transport, apiKey: Secret): Transport {
  checkKey(apiKey);
  return {
    send(request, signal) {
      const headers = {
        accept: 'application/json',
        'user-agent': 'chatferry',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
        apikey: apiKey.reveal(),
      };
      return transport.send({ ...request, headers }, signal);
    },
    close: () => transport.close(),
  };
}

/** Visible ASCII: a line break would begin another header, and undici would quote the value in its error. */
function checkKey(apiKey: Secret): void {
  if (/^[\x21-\x7e]+$/.test(apiKey.reveal())) return;
  throw new UsageError(
    'Cannot use the API key: it is empty, or has a space, a line break or a character beyond ASCII',
    {
      hint: 'Set CHATFERRY_API_KEY to the key alone',
    },
  );
}

/** Whether a parameter is a credential: the contract says so with `isSecret`. */
export function isSecretParameter({ params }: Operation, name: string): boolean {
  return params?.shape[name]?.meta()?.isSecret === true;
}

/** The parameters of a call that are credentials, which no error may repeat. */
export function listSecrets(operation: Operation, parameters: Readonly<Record<string, unknown>>): Secret[] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    typeof value === 'string' && isSecretParameter(operation, name) ? [new Secret(value)] : [],
  );
}

/**
 * The outcome without the key in any of its words, codes and ids: a service may quote the request wherever it likes. Content is
 * never touched: people may have written of a key, and it is compared with what was sent.
 */
export function redactOutcome<Outcome extends AnyOutcome>(outcome: Outcome, key: Secret): Outcome {
  if (outcome.kind === 'applied') return outcome;
  if (outcome.kind === 'answered') {
    if ('answers' in outcome) return { ...outcome, answers: redactAnswers(outcome.answers, key) };
    return isPage(outcome.value) ? { ...outcome, value: redactPage(outcome.value, key) } : outcome;
  }
  const { code, detail, requestId } = outcome;
  return {
    ...outcome,
    code: redactId(code, key),
    detail: redact(detail, [key]),
    ...(requestId !== undefined && { requestId: redact(requestId, [key]) }),
  };
}

function redactAnswers(answers: ReadonlyMap<string, MessageAnswer>, key: Secret): ReadonlyMap<string, MessageAnswer> {
  const safe = new Map<string, MessageAnswer>();
  for (const [muid, answer] of answers) safe.set(muid, redactAnswer(answer, key));
  return safe;
}

function redactAnswer(answer: MessageAnswer, key: Secret): MessageAnswer {
  if (answer.result !== 'imported')
    return { ...answer, code: redactId(answer.code, key), detail: redact(answer.detail, [key]) };
  return withoutKey(answer, ['serverId', 'conversationId'], key);
}

const isPage = (value: unknown): value is MessagePage =>
  typeof value === 'object' && value !== null && 'messages' in value;

const redactPage = (page: MessagePage, key: Secret): MessagePage => ({
  ...page,
  messages: page.messages.map((row) => withoutKey(row, ['id', 'muid', 'conversationId', 'sender', 'receiver'], key)),
});

/** Returns the same object if there is nothing to take out: verify reads every message of a migration. */
function withoutKey<T extends object>(row: T, names: readonly (keyof T)[], key: Secret): T {
  let safe = row;
  for (const name of names) {
    const id = row[name];
    if (typeof id !== 'string' || redactId(id, key) === id) continue;
    safe = { ...safe, [name]: redactId(id, key) };
  }
  return safe;
}
