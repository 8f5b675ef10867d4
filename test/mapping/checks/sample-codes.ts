import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Codes of the invalid rows and problems that reading the samples brings up: a check must explain each. */
export function sampleCodes(): string[] {
  const folder = fileURLToPath(new URL('../../../samples', import.meta.url));
  const codes = globSync(`${folder}/*/*/expected.ndjson`).flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { readonly code?: string }).code)
      .filter((code) => code !== undefined),
  );
  return [...new Set(codes)].sort();
}
