import { type OperationName, operations } from '../service/contract/operations.ts';
import type { Handler } from './handler.ts';

interface Route {
  readonly handler: Handler;
  /** From the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the handler of a request; nothing for a path or method that no operation has.
 * The patterns are made from the declarations: `/v3/groups/{guid}` has a group named `guid`.
 */
export function createRoutes(
  handlers: Readonly<Record<OperationName, Handler>>,
): (method: string, path: string) => Route | undefined {
  const routes = operations.map(({ name, method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    handler: handlers[name],
  }));
  return (method, path) => {
    for (const route of routes) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      const params = match && decodeParams(match.groups ?? {});
      if (params) return { handler: route.handler, params };
    }
    return undefined;
  };
}

function decodeParams(groups: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}
