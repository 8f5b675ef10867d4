import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atFileEnd } from '../../file-end.ts';
import type { World } from './world.ts';

/** A request as a dialect sees it. */
export interface MockRequest {
  readonly method: string;
  /** Parts of the path: `/v1/Services` has `v1` and `Services`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Address at which this mock is asked. */
  readonly base: string;
}

export interface MockAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json: unknown;
}

/** How one provider answers. */
export interface Dialect {
  /** Name of the recipe. */
  readonly provider: string;
  readonly settings: Readonly<Record<string, string>>;
  /** @returns undefined for what it does not know: 404. */
  answer(request: MockRequest, world: World): MockAnswer | undefined;
  /** Ids of the messages of an export folder, as the world has them. */
  idsIn(rows: readonly unknown[]): readonly number[];
}

export interface MockOptions {
  /** Called before the request of this number, from 1, is answered. An answer that it returns is given instead. */
  readonly before?: (number: number, world: World) => MockAnswer | undefined;
  /** Address under which clients ask, if another server is between. */
  readonly base?: () => string;
}

export interface MockProvider {
  readonly url: string;
  /** Methods and addresses of all requests so far. */
  readonly requests: readonly string[];
}

/** Starts a provider on this machine. It has its own port, and ends with the tests of the file. */
export async function startMock(dialect: Dialect, world: World, options: MockOptions = {}): Promise<MockProvider> {
  const requests: string[] = [];
  const server = createServer((incoming, outgoing) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    incoming.on('end', () => {
      const base = options.base?.() ?? url();
      const address = new URL(incoming.url!, base);
      requests.push(`${incoming.method} ${address.pathname}${address.search}`);
      const instead = options.before?.(requests.length, world);
      const answer = instead ??
        dialect.answer(
          {
            method: incoming.method!,
            parts: address.pathname.split('/').filter(Boolean).map(decodeURIComponent),
            query: address.searchParams,
            body: text === '' ? undefined : JSON.parse(text),
            headers: incoming.headers,
            base,
          },
          world,
        ) ?? { status: 404, json: { message: 'not here' } };
      outgoing.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      outgoing.end(typeof answer.json === 'string' ? answer.json : JSON.stringify(answer.json));
    });
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atFileEnd(() => {
    server.closeAllConnections();
    server.close();
    return undefined;
  });
  return { url: url(), requests };
}

/** Some items of a list, and where the next ones begin. */
export function pageOf<T>(
  items: readonly T[],
  from: number,
  size: number,
): { readonly page: readonly T[]; readonly next: number | undefined } {
  const page = items.slice(from, from + size);
  return { page, next: from + size < items.length ? from + size : undefined };
}
