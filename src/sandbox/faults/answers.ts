import type { TransportAnswer } from '../../service/transport.ts';
import { failure } from '../answers.ts';
import { isObject } from '../../lib/maps/objects.ts';
import type { FaultRule } from '../fault-plan.ts';

type RuleOf<Answer extends FaultRule['answer']> = Extract<FaultRule, { readonly answer: Answer }>;
type RetryAfter = RuleOf<'rate-limited'>['retryAfter'];

/** The service's own error body. */
export function errorAnswer(
  { status, code, retryAfter }: { readonly status: number; readonly code: string; readonly retryAfter?: RetryAfter },
  nowMs: number,
): TransportAnswer {
  const hint =
    typeof retryAfter === 'object' && 'sentence' in retryAfter ? `, retry after ${retryAfter.sentence} seconds` : '';
  const message = `The sandbox was configured to fail${hint}`;
  const header = retryAfterHeader(retryAfter, nowMs);
  const answer = failure(status, { code, message });
  return header === undefined ? answer : { ...answer, headers: { ...answer.headers, 'retry-after': header } };
}

function retryAfterHeader(retryAfter: RetryAfter, nowMs: number): string | undefined {
  if (retryAfter === undefined) return undefined;
  if (typeof retryAfter === 'number') return String(retryAfter);
  if ('date' in retryAfter) return new Date(nowMs + retryAfter.date * 1000).toUTCString();
  return 'text' in retryAfter ? retryAfter.text : undefined;
}

/** Returns an answer of gateways and login walls. */
export const pageAnswer = (status: number): TransportAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<!doctype html><html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`,
});

export const redirectAnswer = ({ status, location }: RuleOf<'redirect'>): TransportAnswer => ({
  status,
  headers: { location },
  body: '',
});

/** The answer with a body that says something else. An answer without `data`, an error for one, stays as it is. */
export function distort(rule: FaultRule, answer: TransportAnswer, random: () => number): TransportAnswer {
  if (rule.answer === 'invalid-json') return { ...answer, body: `${answer.body.slice(0, -1)},` };
  const change = pickChange(rule, random);
  if (!change) return answer;
  const json = JSON.parse(answer.body) as Readonly<Record<string, unknown>>;
  return json.data === undefined ? answer : { ...answer, body: JSON.stringify({ ...json, data: change(json.data) }) };
}

function pickChange(rule: FaultRule, random: () => number): ((data: unknown) => unknown) | undefined {
  switch (rule.answer) {
    case 'no-data':
      return () => undefined;
    case 'keys-missing':
      return (data) => withoutSome(data, () => random() < rule.share);
    case 'keys-renamed':
      return (data) => withKeys(data, (_key, index) => String(index + 1));
    case 'keys-added':
      return (data) => (isObject(data) ? { ...data, 'nobody-sent-this': { success: true } } : data);
    case 'texts-changed':
      return withOtherTexts;
    default:
      return undefined;
  }
}

function withoutSome(data: unknown, isLeftOut: () => boolean): unknown {
  if (Array.isArray(data)) return data.filter(() => !isLeftOut());
  return isObject(data) ? Object.fromEntries(Object.entries(data).filter(() => !isLeftOut())) : data;
}

function withKeys(data: unknown, rename: (key: string, index: number) => string): unknown {
  if (!isObject(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value], index) => [rename(key, index), value]));
}

function withOtherTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOtherTexts);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'text' && typeof inner === 'string' ? `${inner} (changed)` : withOtherTexts(inner),
    ]),
  );
}
