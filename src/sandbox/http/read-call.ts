import { z } from 'zod';
import type { Operation } from '../../service/operation.ts';
import type { OperationName } from '../../service/operations.ts';
import type { TransportAnswer } from '../../service/transport.ts';
import { badRequest, toDetails, failure, noSuchUser, joinDetails } from '../answers.ts';
import type { Call, Service } from '../operations/service.ts';
import {
  errorCodeForField,
  depthMax,
  hasTooManyValues,
  isDeeperThan,
  parseJson,
  valuesMax,
} from '../rules/item-shape.ts';

/** Input of an operation, before anything is checked but the key. */
export interface Received {
  readonly keyDigest: string;
  /** From the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
  readonly onBehalfOf: string | undefined;
  readonly text: string;
}

/** Parameters that are forced to lower case, wherever they occur. The others in paths are credentials, ids of messages, reactions. */
const loweredParams: ReadonlySet<string> = new Set(['uid', 'guid', 'role', 'conversationId']);

/** The call, once its parts are what the contract declares; else the answer that says what is wrong, field by field. */
export function readCall(
  service: Service,
  operation: Operation & { readonly name: OperationName },
  received: Received,
): { readonly call: Call<OperationName> } | { readonly refusal: TransportAnswer } {
  const { keyDigest, text } = received;
  const query = readQuery(operation.query, received.search);
  if ('details' in query) return { refusal: badRequest(query.details) };
  const onBehalfOf = readOnBehalfOf(service, operation, received.onBehalfOf);
  if (onBehalfOf.refusal) return { refusal: onBehalfOf.refusal };
  // The items of an import are checked one by one: one that is wrong does not keep the others out.
  const body = operation.rateClass === 'import' ? { value: undefined } : readBody(operation, text);
  if ('refusal' in body) return body;
  const params = Object.fromEntries(
    Object.entries(received.params).map(([name, value]) => [
      name,
      loweredParams.has(name) ? value.toLowerCase() : value,
    ]),
  );
  const call = { keyDigest, params, query: query.value, body: body.value, text, onBehalfOf: onBehalfOf.uid };
  // The schemas that were just applied are the ones that the type is made of.
  return { call: call as unknown as Call<OperationName> };
}

/** An operation that does not act for users ignores the header. */
function readOnBehalfOf(
  { people }: Service,
  { headers }: Operation,
  given: string | undefined,
): { readonly uid?: string | undefined; readonly refusal?: TransportAnswer } {
  if (!headers) return {};
  const { error } = headers.safeParse({ onBehalfOf: given });
  if (error) return { refusal: badRequest(toDetails(error.issues)) };
  const uid = given?.toLowerCase();
  if (uid === undefined || people.isActive(uid)) return { uid };
  return { refusal: noSuchUser(uid) };
}

function readBody(
  operation: Operation,
  text: string,
): { readonly value: unknown } | { readonly refusal: TransportAnswer } {
  if (!operation.body) return { value: undefined };
  if (hasTooManyValues(text)) return { refusal: badRequest({ body: [`expected ${valuesMax} values at most`] }) };
  const given = parseJson(text);
  const value = isEmptyList(given) && operation.body.safeParse({}).success ? {} : given;
  if (value === undefined) return { refusal: badRequest({ body: ['expected JSON'] }) };
  if (isDeeperThan(value, depthMax)) {
    return { refusal: badRequest({ body: [`expected ${depthMax} levels of objects and lists at most`] }) };
  }
  const { error } = operation.body.safeParse(value);
  return error ? { refusal: refuseBody(operation, error) } : { value };
}

/** PHP writes an object without fields like that, and the hosted service reads it so. */
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

type Details = Readonly<Record<string, readonly string[]>>;

/**
 * Returns the parameters of a query string, or their errors by name. An empty value counts as not given, and an
 * undeclared parameter is ignored, as by the hosted service.
 */
function readQuery(
  schema: z.ZodObject | undefined,
  search: string,
): { readonly value: unknown } | { readonly details: Details } {
  const given: Record<string, string | string[]> = {};
  for (const [spelling, value] of new URLSearchParams(search)) {
    const name = spelling.replace(/\[\d*\]$/, '');
    const field = schema && Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (value === '' || !field) continue;
    if (isList(field)) given[name] = [...(given[name] ?? []), ...listed(value, spelling !== name)];
    else given[name] = value;
  }
  const isNoId = given.id !== undefined && !/^\d{1,15}$/.test(String(given.id));
  const { data, error } = (schema ?? z.object({})).safeParse(given);
  if (data && !isNoId) return { value: data };
  return { details: { ...toDetails(error?.issues ?? []), ...(isNoId && { id: ['expected the id of a message'] }) } };
}

/** `tags=a&tags=b`, `tags=a,b` and `tags[0]=a&tags[1]=b` are one list. In brackets a comma is part of a value. */
const listed = (value: string, isInBrackets: boolean): string[] =>
  isInBrackets ? [value] : value.split(',').filter((one) => one !== '');

const isList = (field: z.core.$ZodType): boolean =>
  field instanceof z.ZodArray || (field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodArray);

/** Returns status 400 with the errors by field. If the operation has a code for the first of the fields, the answer has that code. */
function refuseBody({ errors }: Operation, error: z.core.$ZodError): TransportAnswer {
  const details = toDetails(error.issues);
  const code = errorCodeForField(Object.keys(details)[0] ?? '');
  return failure(400, {
    code: code && errors.includes(code) ? code : 'ERR_BAD_REQUEST',
    message: joinDetails(details),
    details,
  });
}
