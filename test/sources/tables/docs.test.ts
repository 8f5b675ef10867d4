import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { csv } from '../../../src/sources/csv/index.ts';
import { timeFormats } from '../../../src/sources/kit/time/time-reading.ts';

const page =
  readFileSync('docs/reference/sources/tables.md', 'utf8') + readFileSync('docs/reference/sources/csv.md', 'utf8');

/** Every key of the `source:` section, however deep. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(keysOf)];
}

const keys = new Set(keysOf(z.toJSONSchema(csv.options, { io: 'input', unrepresentable: 'any' })));

describe('docs/reference/sources/tables.md and docs/reference/sources/csv.md', () => {
  it.each([...keys])('explain "%s"', (key) => {
    expect(page).toMatch(new RegExp(`[\`{ \\s]${key}(?:\`|:)`));
  });

  it.each(timeFormats)('name the format %s', (format) => {
    expect(page).toContain(`\`${format}\``);
  });
});
