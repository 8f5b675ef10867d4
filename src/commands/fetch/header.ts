import { isLoopback } from '../../service/base-url.ts';

/** What decides which messages a file holds. */
export interface FetchScope {
  readonly conversation?: string | undefined;
  /** Unix seconds, both included. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/**
 * The first line of a fetched file, which the source `chat-service` reads: where it comes from and what was asked for.
 *
 * @param address Normalised.
 */
export function fetchHeader(address: string, { conversation, since, until }: FetchScope): string {
  return JSON.stringify({
    kind: 'chat-service-fetch',
    version: 1,
    from: address,
    workspace: workspaceOf(address),
    conversation,
    since,
    until,
  });
}

/**
 * Keeps messages of two services apart, whose ids are small numbers in both: the app's id where the address names one
 * (`https://{appid}.api-{region}.…`), else the host. Of a service on this machine nothing is known: its port changes.
 */
function workspaceOf(address: string): string | undefined {
  const { hostname } = new URL(address);
  if (isLoopback(hostname)) return undefined;
  return /^([^.]+)\.api-[^.]+\./.exec(hostname)?.[1] ?? hostname;
}
