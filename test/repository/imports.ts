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

/** Circles of modules that import each other, each as the paths of a round: `a.ts -> b.ts -> a.ts`. One for every knot of them. */
export function circlesOf(arrows: readonly Arrow[]): string[] {
  const targets = Map.groupBy(arrows, ({ from }) => from);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) circles.push([...trail.slice(at), path].join(' -> '));
    if (at >= 0 || done.has(path)) return;
    for (const { to } of targets.get(path) ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return circles;
}
