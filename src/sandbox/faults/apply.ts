import type { TransportAnswer, TransportRequest } from '../../service/transport.ts';
import { answerWith } from '../answers.ts';
import { bodyText } from '../app.ts';
import { isObject } from '../../lib/maps/objects.ts';
import { parseJson } from '../rules/item-shape.ts';

type Handle = (request: TransportRequest) => TransportAnswer;

/**
 * Applies some of the items of an import, in their order; a request of any other shape as a whole.
 *
 * @param part which of them: the first ones or the last ones, one at least, but not all where there are several.
 */
export function applyPart(
  handle: Handle,
  request: TransportRequest,
  part: 'first-part' | 'last-part',
  random: () => number,
): TransportAnswer {
  const messages = parseMessages(request);
  if (!messages) return handle(request);
  const count = Math.max(1, Math.floor(messages.length * random()));
  return handle(
    withMessages(request, part === 'first-part' ? messages.slice(0, count) : messages.slice(messages.length - count)),
  );
}

/** Applies only these messages, and says nothing of the others. */
export function applySome(
  handle: Handle,
  request: TransportRequest,
  isApplied: (muid: string) => boolean,
): TransportAnswer {
  const some = parseMessages(request)?.filter(([muid]) => isApplied(muid)) ?? [];
  return some.length > 0 ? handle(withMessages(request, some)) : noneApplied;
}

/** Applies the messages that luck spares, or that are not named, and refuses the others in the answer. */
export function applySpared(
  handle: Handle,
  request: TransportRequest,
  { share, muids, code, random }: Sparing,
): TransportAnswer {
  const messages = parseMessages(request);
  if (!messages) return handle(request);
  const { spared = [], refused = [] } = Object.groupBy(messages, ([muid]) =>
    (muids ? muids.includes(muid) : random() < share) ? 'refused' : 'spared',
  );
  const answer = spared.length > 0 ? handle(withMessages(request, spared)) : noneApplied;
  const { data } = JSON.parse(answer.body) as { readonly data?: Readonly<Record<string, unknown>> };
  if (!data) return answer;
  const error = { code, message: 'The sandbox was configured to refuse this message' };
  const refusals = Object.fromEntries(refused.map(([muid]) => [muid, { success: false, error }]));
  return { ...answer, body: JSON.stringify({ data: { ...data, ...refusals } }) };
}

interface Sparing {
  readonly share: number;
  /** Messages that are refused, if they are named. */
  readonly muids?: readonly string[] | undefined;
  readonly code: string;
  readonly random: () => number;
}

const noneApplied = answerWith({});

type Message = readonly [muid: string, message: unknown];

/** Nothing for a body that is no import: the service will say what is wrong with it. */
function parseMessages({ body, path }: TransportRequest): Message[] | undefined {
  const json = parseJson(bodyText(body));
  const entries = isObject(json) ? Object.entries(json[fieldOf(path)] ?? {}) : [];
  return entries.length > 0 ? entries : undefined;
}

/** `messages`, `users`, `groups` or `members`, as the path of an import ends. */
const fieldOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const listMuids = (request: TransportRequest): string[] => parseMessages(request)?.map(([muid]) => muid) ?? [];

const withMessages = (request: TransportRequest, messages: readonly Message[]): TransportRequest => ({
  ...request,
  body: JSON.stringify({ [fieldOf(request.path)]: Object.fromEntries(messages) }),
});
