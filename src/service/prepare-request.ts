import { z } from 'zod';
import { UsageError } from '../lib/errors.ts';
import type { Operation } from './operation.ts';
import { type Profile, profiles } from './profiles.ts';
import type { TransportRequest } from './transport.ts';
import { describeIssues, type Finding } from './describe-issues.ts';

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
    path: pathOf(operation, params as Record<string, string>, query as Record<string, QueryValue>, profile),
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
export function pathOf(
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
