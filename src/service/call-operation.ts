import { z } from 'zod';
import { type Profile, profiles } from './profiles.ts';
import type { Clock } from '../lib/flow/clock.ts';
import { DestinationError, UsageError } from '../lib/errors.ts';
import { redact, redactId, Secret } from '../lib/secret.ts';
import { errorBody, type Operation } from './operation.ts';
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts';
import { judgeAnswer, judgeFault } from './answers/judge.ts';
import { parseAnswer } from './outcome.ts';

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

const findingsIn = (schema: z.ZodType | undefined, value: unknown): Finding[] =>
  describeIssues(schema?.safeParse(value).error?.issues ?? [], value);

const asParameter = ({ pointer, sentence }: Finding) => `${pointer.slice(1)}: ${sentence}`;

/** Only visible ASCII can be the value of a header. */
const headerComplaint = ([name, value]: readonly [string, unknown]): string[] =>
  typeof value !== 'string' || /^[\x21-\x7e]*$/.test(value)
    ? []
    : [`${name}: expected visible ASCII characters, found ${JSON.stringify(value)}`];

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

export interface Finding {
  /** JSON Pointer (RFC 6901): `/data/text`; empty for the value itself. */
  readonly pointer: string;
  /** Expected and actual value: `expected string, found 5`. */
  readonly sentence: string;
}

/** Zod's findings as places and sentences. @param value what was checked. */
export const describeIssues = (issues: readonly Issue[], value: unknown): Finding[] =>
  issues.flatMap((issue) => describe(issue, value));

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

const toPointer = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

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
    { hint: 'Set CHATFERRY_API_KEY to the key alone' },
  );
}

/** Whether a parameter is a credential: the contract says so with `isSecret`. */
export const isSecretParameter = ({ params }: Operation, name: string): boolean =>
  params?.shape[name]?.meta()?.isSecret === true;

/** The parameters of a call that are credentials, which no error may repeat. */
export const listSecrets = (operation: Operation, parameters: Readonly<Record<string, unknown>>): Secret[] =>
  Object.entries(parameters).flatMap(([name, value]) =>
    typeof value === 'string' && isSecretParameter(operation, name) ? [new Secret(value)] : [],
  );

export interface CallSurroundings {
  /** Adds the key. */
  readonly transport: Transport;
  /** Secrets that no error may repeat. */
  readonly secrets: readonly Secret[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface Called<Answered> {
  readonly answer: Answered;
  readonly text: string;
}

/**
 * One request and its answer, checked. Nothing is repeated.
 *
 * @throws ChatServiceError for whatever is not the answer of a success; what `signal` was aborted with.
 */
export async function callOperation<Declared extends Operation>(
  operation: Declared,
  request: TransportRequest,
  surroundings: CallSurroundings,
): Promise<Called<z.output<Declared['answer']>>> {
  const { transport, signal, clock } = surroundings;
  let answer: TransportAnswer;
  try {
    answer = await transport.send(request, signal);
  } catch (fault) {
    signal.throwIfAborted();
    throw noAnswerError(operation, fault, surroundings);
  }
  if (answer.status < 200 || answer.status > 299) {
    throw refusalError(operation, answer, clock.now(), surroundings);
  }
  const json = parseAnswer(answer.body);
  const parsed = operation.answer.safeParse(json);
  if (parsed.success) return { answer: parsed.data as z.output<Declared['answer']>, text: answer.body };
  throw foreignAnswerError(operation, answer, json, parsed.error.issues, surroundings);
}

function noAnswerError({ name }: Operation, fault: unknown, { secrets }: CallSurroundings): ChatServiceError {
  const { code, detail, hint } = judgeFault(fault);
  return new ChatServiceError(redact(`Cannot call ${name}: no answer: ${detail} (${code})`, secrets), {
    operation: name,
    code,
    hint: hint ?? 'Check the address and the network, then call again',
  });
}

function refusalError(
  { name }: Operation,
  answer: TransportAnswer,
  nowMs: number,
  { secrets }: CallSurroundings,
): ChatServiceError {
  const { status, code, detail, hint, needsPerson, requestId, retryAfterMs } = judgeAnswer(answer, nowMs);
  const details = errorBody.safeParse(parseAnswer(answer.body)).data?.error.details;
  const words = `Cannot call ${name}: ${detail} (${code}, status ${status}${requestId ? `, request ${requestId}` : ''})`;
  return new ChatServiceError(redact(words, secrets), {
    operation: name,
    status,
    code: secrets.reduce(redactId, code),
    requestId: requestId && redact(requestId, secrets),
    retryAfterMs,
    needsPerson: needsPerson === true,
    details: details && redactDetails(details, secrets),
    hint: hint ?? whatToDo(status, retryAfterMs),
  });
}

function whatToDo(status: number, retryAfterMs: number | undefined): string {
  if (retryAfterMs !== undefined) return `Call again in ${Math.ceil(retryAfterMs / 1000)} s`;
  if (status >= 500) return 'Part of it may have been applied: look before you call again';
  return 'Correct the fault that the service names, then call again';
}

const redactDetails = (
  details: Readonly<Record<string, readonly string[]>>,
  secrets: readonly Secret[],
): Record<string, readonly string[]> =>
  Object.fromEntries(
    Object.entries(details).map(([field, words]) => [
      redact(field, secrets),
      words.map((word) => redact(word, secrets)),
    ]),
  );

function foreignAnswerError(
  { name }: Operation,
  { status, headers, body }: TransportAnswer,
  json: unknown,
  issues: readonly z.core.$ZodIssue[],
  { secrets }: CallSurroundings,
): ChatServiceError {
  const [finding] = describeIssues(issues, json);
  const what =
    json === undefined
      ? `it is not JSON: ${JSON.stringify(body.slice(0, 60))}`
      : `${finding?.pointer || '/'}: ${finding?.sentence}`;
  return new ChatServiceError(redact(`Cannot read the answer to ${name}: ${what}`, secrets), {
    operation: name,
    status,
    code: 'bad_answer',
    requestId: headers['x-request-id'] && redact(headers['x-request-id'], secrets),
    hint: 'The operation was probably applied. Is this the address of the chat service?',
  });
}

/**
 * An operation that did not succeed: the service refused it, could not be reached, or answered with something that is not what
 * it is documented to say. `code` is the service's own where it gave one (`ERR_GUID_NOT_FOUND`), else the network's
 * (`ECONNREFUSED`) or ours (`bad_answer`, `timeout`, `http_502`).
 *
 * Without a status 4xx it is not known whether the operation was applied.
 */
export class ChatServiceError extends DestinationError {
  override readonly name = 'ChatServiceError';
  /** Name of the operation: `getGroup`. */
  readonly operation: string;
  /** HTTP status; undefined if no answer came. */
  readonly status: number | undefined;
  /** For a failed validation: sentences by field. */
  readonly details: Readonly<Record<string, readonly string[]>> | undefined;
  /** How long the service asks to wait before the next request. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    facts: Pick<ChatServiceError, 'operation' | 'code'> &
      Partial<
        Pick<ChatServiceError, 'status' | 'details' | 'requestId' | 'retryAfterMs' | 'needsPerson' | 'hint' | 'cause'>
      >,
  ) {
    super(message, facts);
    this.operation = facts.operation;
    this.status = facts.status;
    this.details = facts.details;
    this.retryAfterMs = facts.retryAfterMs;
  }
}
