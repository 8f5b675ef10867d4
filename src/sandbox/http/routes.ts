import type { Operation } from '../../service/operation.ts';
import { type OperationName, operations } from '../../service/operations.ts';

export interface Meant {
  readonly operation: Operation & { readonly name: OperationName };
  /** From the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** The patterns are made from the declarations: `/v3/groups/{guid}` has a group named `guid`. */
const patterns = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** The operation that a request means; nothing for a path or method that no operation has. */
export function findOperation(method: string, path: string): Meant | undefined {
  for (const { operation, pattern } of patterns) {
    const match = operation.method === method ? pattern.exec(path) : null;
    const params = match && decodeParams(match.groups ?? {});
    if (params) return { operation, params };
  }
  return undefined;
}

function decodeParams(groups: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}
