import { UsageError } from '../../lib/errors.ts';
import { redact, Secret } from '../../lib/secret.ts';
import type { Operation } from '../contract/operation.ts';
import type { Transport } from '../transport.ts';
import type { AnyOutcome, MessageAnswer } from './answers/outcome.ts';

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
export function secretsOf(operation: Operation, parameters: Readonly<Record<string, unknown>>): Secret[] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    typeof value === 'string' && isSecretParameter(operation, name) ? [new Secret(value)] : [],
  );
}

/**
 * The outcome without the key in any of its words: a service may quote the request in its errors. Only words are touched,
 * never ids or content: a short key could stand in them by chance.
 */
export function redactOutcome<Outcome extends AnyOutcome>(outcome: Outcome, key: Secret): Outcome {
  if (outcome.kind === 'applied') return outcome;
  if (outcome.kind === 'answered') {
    return 'answers' in outcome ? { ...outcome, answers: redactAnswers(outcome.answers, key) } : outcome;
  }
  const { detail, requestId } = outcome;
  return {
    ...outcome,
    detail: redact(detail, [key]),
    ...(requestId !== undefined && { requestId: redact(requestId, [key]) }),
  };
}

function redactAnswers(answers: ReadonlyMap<string, MessageAnswer>, key: Secret): ReadonlyMap<string, MessageAnswer> {
  const hasWords = [...answers.values()].some(({ result }) => result !== 'imported');
  return hasWords ? new Map([...answers].map(([muid, answer]) => [muid, redactAnswer(answer, key)])) : answers;
}

const redactAnswer = (answer: MessageAnswer, key: Secret): MessageAnswer =>
  answer.result === 'imported' ? answer : { ...answer, detail: redact(answer.detail, [key]) };
