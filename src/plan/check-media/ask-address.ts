import type { Agent } from 'undici';
import { type AddressRule, refuseAddress } from '../../io/web/address-rule.ts';
import { connectionWords, isRefusedAddress } from '../../io/web/connection-fault.ts';
import { dropBody, fileStatus, isRedirect, redirectsMax } from '../../io/web/file-answer.ts';
import type { MediaCode } from '../../mapping/checks.ts';

export type AddressAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly contentType: string }
  /** Nothing is known of the file; `why` in words. */
  | { readonly kind: 'unreachable'; readonly why: string };

export interface AskOptions {
  readonly agent: Agent;
  readonly rule: AddressRule;
  /** For all requests of one address together, in ms. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Nothing that says who asks, and no encoding: a body is not read. */
const headers = { 'user-agent': 'chatferry', accept: '*/*' };

/**
 * Checks whether there is something at an address: `HEAD`, then `GET` of one byte if the server does not confirm it
 * (addresses that are signed for `GET` refuse `HEAD`). Sends no cookie, no key, no referrer, no login of the address
 * itself; cuts a body off when it begins.
 *
 * @throws the signal's reason, and nothing else.
 */
export async function askAddress(address: string, options: AskOptions): Promise<AddressAnswer> {
  const deadline = AbortSignal.timeout(options.deadlineMs);
  const signal = AbortSignal.any([options.signal, deadline]);
  try {
    const first = await follow(new URL(address), 'HEAD', { ...options, signal });
    const isRefused = first.kind === 'answered' && first.status >= 400 && first.status !== 429;
    return isRefused ? await follow(new URL(address), 'GET', { ...options, signal }) : first;
  } catch (error) {
    options.signal.throwIfAborted();
    if (deadline.aborted) return { kind: 'unreachable', why: `no answer within ${options.deadlineMs / 1000} s` };
    return { kind: 'unreachable', why: `${isRefusedAddress(error) ? 'not asked: ' : ''}${connectionWords(error)}` };
  }
}

/** One method along its redirects; the rule is asked at each step. */
async function follow(start: URL, method: 'HEAD' | 'GET', options: AskOptions): Promise<AddressAnswer> {
  let url = start;
  for (let step = 0; step <= redirectsMax; step++) {
    const refused = refuseAddress(url, options.rule);
    if (refused !== undefined)
      return {
        kind: 'unreachable',
        why: step === 0 ? `not asked: ${refused}` : `redirected to an address that is not requested: ${refused}`,
      };
    const { status, contentType, location } = await request(url, method, options);
    if (!isRedirect(status) || location === undefined) return { kind: 'answered', status, contentType };
    if (!URL.canParse(location, url))
      return { kind: 'unreachable', why: 'redirected to something that is not an address' };
    url = new URL(location, url);
  }
  return { kind: 'unreachable', why: `redirected more than ${redirectsMax} times` };
}

async function request(url: URL, method: 'HEAD' | 'GET', { agent, signal }: AskOptions) {
  const answer = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: method === 'GET' ? { ...headers, range: 'bytes=0-0' } : headers,
    signal,
  });
  dropBody(answer.body);
  const one = (name: string) => [answer.headers[name] ?? []].flat()[0];
  return { status: answer.statusCode, contentType: one('content-type') ?? '', location: one('location') };
}

const codes: Readonly<Record<ReturnType<typeof fileStatus>, MediaCode | undefined>> = {
  there: undefined,
  elsewhere: 'attachment-unreachable',
  login: 'attachment-login-page',
  later: 'attachment-unreachable',
  missing: 'attachment-dead',
};

/** Returns the meaning of an answer for a file of the announced type; undefined if the file is there. */
export function judgeAddressAnswer(
  answer: AddressAnswer,
  announcedType: string,
): { readonly code: MediaCode; readonly words: string } | undefined {
  if (answer.kind === 'unreachable') return { code: 'attachment-unreachable', words: answer.why };
  const { status, contentType } = answer;
  const code = codes[fileStatus(status)];
  if (code !== undefined) return { code, words: `answered ${status}` };
  return isPage(contentType) && isKnownNonPage(announcedType)
    ? { code: 'attachment-login-page', words: `answered with a page instead of ${announcedType.slice(0, 60)}` }
    : undefined;
}

const isPage = (type: string): boolean => /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type);

/** A type that says nothing may well be that of a page. */
const isKnownNonPage = (type: string): boolean => type !== '' && type !== 'application/octet-stream' && !isPage(type);
