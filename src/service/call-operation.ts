import type { z } from 'zod';
import type { Clock } from '../lib/flow/clock.ts';
import { DestinationError } from '../lib/errors.ts';
import { redact, redactId, type Secret } from '../lib/secret.ts';
import { errorBody, type Operation } from './operation.ts';
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts';
import { judgeAnswer, judgeFault } from './answers/judge.ts';
import { parseAnswer } from './outcome.ts';
import { describeIssues } from './prepare-request.ts';

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
  /** The body as it came. */
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
  const { status, code, detail, hint, requestId, retryAfterMs } = judgeAnswer(answer, nowMs);
  const details = errorBody.safeParse(parseAnswer(answer.body)).data?.error.details;
  const words = `Cannot call ${name}: ${detail} (${code}, status ${status}${requestId ? `, request ${requestId}` : ''})`;
  return new ChatServiceError(redact(words, secrets), {
    operation: name,
    status,
    code: secrets.reduce(redactId, code),
    requestId: requestId && redact(requestId, secrets),
    retryAfterMs,
    details: details && redactDetails(details, secrets),
    hint: hint ?? whatToDo(status, retryAfterMs),
  });
}

function whatToDo(status: number, retryAfterMs: number | undefined): string {
  if (retryAfterMs !== undefined) return `Call again in ${Math.ceil(retryAfterMs / 1000)} s`;
  if (status >= 500) return 'Part of it may have been applied: look before you call again';
  return 'Correct the fault that the service names, then call again';
}

function redactDetails(
  details: Readonly<Record<string, readonly string[]>>,
  secrets: readonly Secret[],
): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(details).map(([field, words]) => [
      redact(field, secrets),
      words.map((word) => redact(word, secrets)),
    ]),
  );
}

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
      Partial<Pick<ChatServiceError, 'status' | 'details' | 'requestId' | 'retryAfterMs' | 'hint' | 'cause'>>,
  ) {
    super(message, facts);
    this.operation = facts.operation;
    this.status = facts.status;
    this.details = facts.details;
    this.retryAfterMs = facts.retryAfterMs;
  }
}
