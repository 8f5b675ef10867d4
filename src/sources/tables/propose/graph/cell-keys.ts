import { parseCell, parsePath, pathStep } from '../../row.ts';

interface Cells {
  readonly name: string;
  readonly texts: readonly string[];
}

/** Keys of one column that are looked at: some programs have one for each person. */
const keysMax = 200;

/** The paths of single values in a column of JSON objects: `attributes.deleted`. Nothing where fewer than nine of ten cells are such. */
export function cellKeys({ name, texts }: Cells): readonly string[] {
  const objects = texts.flatMap((text) => objectIn(text) ?? []);
  if (objects.length === 0 || objects.length < texts.length * 0.9) return [];
  const keys = new Set(
    objects.flatMap((object) =>
      Object.entries(object).flatMap(([key, value]) => (typeof value === 'object' || value === undefined ? [] : [key])),
    ),
  );
  return [...keys].slice(0, keysMax).map((key) => `${pathStep(name)}.${pathStep(key)}`);
}

function objectIn(text: string): object | undefined {
  const value = /^["{]/.test(text) ? parseCell(text) : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

export const lastStep = (path: string): string => parsePath(path).at(-1)!;
