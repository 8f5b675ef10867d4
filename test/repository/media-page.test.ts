import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mediaSchema } from '../../src/mapping/rules.ts';
import { readTracked } from './tracked-files.ts';

const page = readTracked('docs/guides/media.md');
const { properties } = z.toJSONSchema(mediaSchema, { io: 'input' }) as {
  properties: Record<string, { enum?: string[] }>;
};

describe('docs/guides/media.md', () => {
  it.each(Object.entries(properties))('explains %s, with its values', (key, { enum: values = [] }) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${key}\` |`));
    expect(row).toBeDefined();
    for (const value of values) expect(row).toContain(`\`${value}\``);
  });
});
