import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderSchemas } from '../../scripts/write-schemas.ts';

describe('the published schemas', () => {
  it.each(Object.entries(renderSchemas()))('match the program in %s (else: npm run schemas)', (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});
