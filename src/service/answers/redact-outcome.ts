import { redact, redactId, type Secret } from '../../lib/secret.ts';
import type { AnyOutcome, MessageAnswer, MessagePage } from '../outcome.ts';

/**
 * The outcome without the key in any of its words, codes and ids: a service may quote the request wherever it likes. Content is
 * never touched: people may have written of a key, and it is compared with what was sent.
 */
export function redactOutcome<Outcome extends AnyOutcome>(outcome: Outcome, key: Secret): Outcome {
  if (outcome.kind === 'applied') return outcome;
  if (outcome.kind === 'answered') {
    if ('answers' in outcome) return { ...outcome, answers: redactAnswers(outcome.answers, key) };
    if ('uids' in outcome) return outcome;
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
