import type { Agent, Dispatcher } from 'undici';
import { type AddressRule, refuseAddress } from '../../io/web/address-rule.ts';
import { dropBody, isRedirect, redirectsMax } from '../../io/web/file-answer.ts';
import type { HostPace } from './host-pace.ts';
import { getsToken, type HostToken } from './token.ts';

export interface Asking {
  readonly agent: Agent;
  readonly rule: AddressRule;
  readonly pace: HostPace;
  readonly token: HostToken | undefined;
}

export interface FileAnswer {
  readonly status: number;
  /** The first of each, by its name in lower case. */
  header(name: string): string | undefined;
  readonly body: Dispatcher.ResponseData['body'];
  /** Who answered, in the end. */
  readonly url: URL;
  readonly isSentOn: boolean;
  /** Whether the token was shown to who answered. */
  readonly hasToken: boolean;
}

export type Asked =
  | { readonly kind: 'answered'; readonly answer: FileAnswer }
  | { readonly kind: 'refused'; readonly why: string }
  | Resting;

/** A host on the way gets no request now: nothing was asked of it. */
export interface Resting {
  readonly kind: 'resting';
  readonly host: string;
}

/** Nothing that says who asks; bytes as they are, so that nothing is unpacked here. */
const usual = { 'user-agent': 'chatferry', accept: '*/*', 'accept-encoding': 'identity' };

/**
 * Sends `GET` and follows at most three redirects. Each address is checked before it is requested. The token is sent
 * only to its hosts, and only to the origin that was asked first: redirects to another origin go without it. Sends no
 * cookies and no referrer.
 *
 * @param extra Headers of this request: a range.
 * @throws the fault of the connection, and the signal's reason.
 */
export async function askForFile(
  start: URL,
  extra: Readonly<Record<string, string>>,
  asking: Asking,
  signal: AbortSignal,
): Promise<Asked> {
  let url = start;
  let step = 0;
  for (; step <= redirectsMax; step++) {
    const refused = whyNotAsked(url, asking.rule);
    if (refused !== undefined)
      return {
        kind: 'refused',
        why: step === 0 ? refused : `it redirects to an address that is not requested: ${refused}`,
      };
    if (asking.pace.restMs(url.host) > 0) return { kind: 'resting', host: url.host };
    const hasToken = asking.token !== undefined && url.origin === start.origin && getsToken(asking.token, url);
    const { scheme = 'Bearer', secret } = asking.token ?? {};
    const headers = hasToken ? { ...extra, authorization: `${scheme} ${secret!.reveal()}` } : extra;
    const answer = await request(url, headers, asking, signal);
    const location = first(answer.headers.location);
    if (!isRedirect(answer.statusCode) || location === undefined)
      return { kind: 'answered', answer: toFileAnswer(answer, { url, isSentOn: step > 0, hasToken }) };
    dropBody(answer.body);
    if (!URL.canParse(location, url))
      return { kind: 'refused', why: 'it redirects to something that is not an address' };
    url = new URL(location, url);
  }
  return { kind: 'refused', why: `it redirects more than ${redirectsMax} times` };
}

const whyNotAsked = (url: URL, rule: AddressRule): string | undefined =>
  url.username !== '' || url.password !== '' ? 'the address contains a login' : refuseAddress(url, rule);

async function request(
  url: URL,
  extra: Readonly<Record<string, string>>,
  { agent, pace }: Asking,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { ...usual, ...extra },
      signal,
    });
    pace.answered(url.host);
    return answer;
  } catch (error) {
    if (!signal.aborted) pace.failed(url.host);
    throw error;
  }
}

const first = (value: string | string[] | undefined): string | undefined => [value ?? []].flat()[0];

const toFileAnswer = (
  { statusCode, headers, body }: Dispatcher.ResponseData,
  about: Pick<FileAnswer, 'url' | 'isSentOn' | 'hasToken'>,
): FileAnswer => ({ ...about, status: statusCode, body, header: (name) => first(headers[name]) });
