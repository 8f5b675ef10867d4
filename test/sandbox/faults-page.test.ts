import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { faultPlan } from '../../src/sandbox/fault-plan.ts';

const page = readFileSync(new URL('../../docs/guides/sandbox.md', import.meta.url), 'utf8');

/** Every name of a field and every word that a field may be, wherever in the schema. */
function wordsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(wordsOf);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'properties') return [...Object.keys(value), ...wordsOf(Object.values(value))];
    if (key === 'const') return [value];
    // The operations have a page of their own.
    if (key === 'enum') return value.includes('importMessages') ? [] : value;
    return wordsOf(value);
  });
}

describe('docs/guides/sandbox.md', () => {
  const words = [...new Set(wordsOf(z.toJSONSchema(faultPlan, { io: 'input' })))];

  it.each(words)('describes "%s"', (word) => {
    expect(page).toMatch(new RegExp(`[\`".]${word}[\`":]`));
  });

  it('shows a plan that can be used', () => {
    const [, json = ''] = /```json\n([\s\S]*?)\n```/.exec(page) ?? [];
    expect(faultPlan.safeParse(JSON.parse(json)).error).toBeUndefined();
    const [, inline = ''] = /-d '([^']+)'/.exec(page) ?? [];
    expect(faultPlan.safeParse(JSON.parse(inline)).error).toBeUndefined();
  });
});
