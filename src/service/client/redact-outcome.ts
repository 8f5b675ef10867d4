import { redact, type Secret } from '../../lib/secret.ts';
import type { ActionOutcome, ChangeOutcome, ImportOutcome, MessageAnswer, ReadOutcome } from './outcome.ts';

/**
 * The outcome without the key in any of its words: a service may quote the request in its errors. Only words are touched,
 * never ids or content: a short key could stand in them by chance.
 */
export function redactOutcome<Outcome extends ImportOutcome | ReadOutcome<unknown> | ChangeOutcome | ActionOutcome>(
  outcome: Outcome,
  key: Secret,
): Outcome {
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
  if (![...answers.values()].some(hasWords)) return answers;
  return new Map([...answers].map(([muid, answer]) => [muid, redactAnswer(answer, key)]));
}

const hasWords = (answer: MessageAnswer): boolean => answer.result !== 'imported';

function redactAnswer(answer: MessageAnswer, key: Secret): MessageAnswer {
  return answer.result === 'imported' ? answer : { ...answer, detail: redact(answer.detail, [key]) };
}
