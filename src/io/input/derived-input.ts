import type { ExportInput } from './export-input.ts';

/** The same input with some methods of its own. Inputs are classes, whose methods a spread would not copy. */
export function derivedInput(input: ExportInput, changes: Partial<ExportInput>): ExportInput {
  return {
    label: input.label,
    key: input.key,
    ...(input.server !== undefined && { server: input.server }),
    problems: input.problems,
    paths: () => input.paths(),
    stat: (path) => input.stat(path),
    head: (path, byteCount) => input.head(path, byteCount),
    read: (path, bytesMax, into) => input.read(path, bytesMax, into),
    open: (path) => input.open(path),
    materialise: (path) => input.materialise(path),
    close: () => input.close(),
    ...changes,
  };
}
