import { UsageError } from '../lib/errors.ts';
import { redact, redactId, Secret } from '../lib/secret.ts';
import type { Operation } from './operation.ts';
import type { Transport } from './transport.ts';
import type { MessagePage } from './list-answer.ts';
import type { AnyOutcome, MessageAnswer } from './outcome.ts';

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
