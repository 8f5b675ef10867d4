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

/** Token that opens files of the old system, and the hosts where it does. */
export interface HostToken {
  /** Of the header `Authorization`. Default: Bearer. */
  readonly scheme?: 'Basic' | 'Bearer';
  readonly secret: Secret;
  readonly hosts: readonly string[];
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
  const hosts = (tokenHosts ?? sources.flatMap(defaultTokenHosts)).map(checkedHost);
  if (hosts.length === 0) {
    throw new UsageError('Cannot use the token of the old system: no hosts are set for it', {
      hint: 'Name them: --media-token-hosts files.example.com, or media.tokenHosts in the mapping',
    });
  }
  return { secret: new Secret(value), hosts };
}

function checkedHost(host: string): string {
  const name = host.trim().toLowerCase();
  // A star stands for one or more names before at least two of the host's own: never for everything under "com".
  if (/^(?:\*\.)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,30}$/.test(name)) return name;
  throw new UsageError(`Cannot use "${host.slice(0, 80)}" of media.tokenHosts: expected a host name`, {
    hint: 'As in files.example.com or *.example.com',
  });
}

/** Whether a host is one of those that get the token. `*.slack.com` is every host under it, and not `slack.com` itself. */
export const getsToken = ({ hosts }: HostToken, hostname: string): boolean =>
  hosts.some((host) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host));
