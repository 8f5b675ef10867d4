import { posix } from 'node:path';

/** One module naming another, both as paths inside `src`: `sources/slack/text.ts`. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** `from '…'` of imports and exports, `import '…'`, `import('…')`, also of types. */
const specifier = /\b(?:from|import)\s*\(?\s*(['"])(\.[^'"]+)\1/g;

/** The relative imports of a module. Packages are no arrows. */
export function readArrows(from: string, code: string): Arrow[] {
  return [...code.matchAll(specifier)].map(([, , path]) => ({
    from,
    to: posix.join(posix.dirname(from), path!),
  }));
}
