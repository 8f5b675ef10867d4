import { UsageError } from '../../lib/errors.ts';
import { readPrivateFile } from '../../lib/files/private-file.ts';
import { Secret } from '../../lib/secret.ts';
import type { MediaRules } from '../../mapping/rules.ts';

/**
 * Hosts where sources keep files that a token of theirs opens as `Authorization: Bearer`. Pages of 2026-11:
 * https://docs.slack.dev/reference/objects/file-object (url_private),
 * https://learn.microsoft.com/graph/api/chatmessagehostedcontent-get
 */
const hostsBySource: Readonly<Record<string, readonly string[]>> = {
  slack: ['files.slack.com', 'slack-files.com'],
  teams: ['graph.microsoft.com'],
};

/** Hosts that get the token unless `media.tokenHosts` names others; none for sources that keep files at addresses of their users. */
export const defaultTokenHosts = (source: string): readonly string[] =>
  Object.hasOwn(hostsBySource, source) ? hostsBySource[source]! : [];

/** Token that opens files of the old system, and where it does. */
export interface HostToken {
  /** Of the header `Authorization`. Default: Bearer. */
  readonly scheme?: 'Basic' | 'Bearer';
  readonly secret: Secret;
  /** Origins: `https://files.slack.com`, `http://*.files.lan:8080`. */
  readonly origins: readonly string[];
}

/**
 * Reads the token of `media.token` from a file that only its owner may read.
 *
 * @param sources Sources whose files are fetched: they give the hosts if the rules do not.
 * @throws UsageError
 */
export function readMediaToken(
  { token, tokenHosts }: Pick<MediaRules, 'token' | 'tokenHosts'>,
  sources: readonly string[],
): HostToken | undefined {
  if (token === undefined) return undefined;
  const value = readPrivateFile(token, 'the token of the old system').trim();
  if (!/^[\x21-\x7e]+$/.test(value)) {
    const found = value === '' ? 'is empty' : 'holds more than one word of plain characters';
    throw new UsageError(`Cannot read the token of the old system: "${token}" ${found}`);
  }
  const origins = (tokenHosts ?? sources.flatMap(defaultTokenHosts)).map(originNamed);
  if (origins.length === 0) {
    throw new UsageError('Cannot use the token of the old system: no hosts are set for it', {
      hint: 'Name them: --media-token-hosts files.example.com, or media.tokenHosts in the mapping',
    });
  }
  return { secret: new Secret(value), origins };
}

/** A name alone is a host of https: a token never goes in the clear, or to another port, unless the user says so. */
function originNamed(host: string): string {
  const name = host.trim().toLowerCase();
  // A star stands for one or more names before at least two of the host's own: never for everything under "com".
  const isOne = /^(?:https?:\/\/)?(?:\*\.)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,30}(?::\d{1,5})?$/.test(name);
  if (isOne) return name.includes('://') ? name : `https://${name}`;
  throw new UsageError(`Cannot use "${host.slice(0, 80)}" of media.tokenHosts: expected a host name`, {
    hint: 'As in files.example.com, *.example.com or http://files.lan:8080',
  });
}

/** Whether an address has an origin that gets the token. `*.slack.com` is every host under it, and not `slack.com` itself. */
export const getsToken = ({ origins }: HostToken, { protocol, hostname, port, origin }: URL): boolean =>
  origins.some((one) => {
    const [scheme, name] = one.split('//*') as [string, string | undefined];
    if (name === undefined) return origin === one;
    return scheme === protocol && `${hostname}${port && `:${port}`}`.endsWith(name);
  });
