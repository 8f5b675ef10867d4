import { describe, expect, it } from 'vitest';
import { keysWithRules, ruleOf } from '../../src/config/harmless-keys.ts';
import { consents } from '../../src/config/load-options.ts';
import { schemaKeys } from './schema-keys.ts';

const keys = schemaKeys();

describe('the table of harmless keys', () => {
  it('is compared with every key of the schema', () => {
    expect(keys).toEqual(
      expect.arrayContaining(['store', 'jobs[].store', 'jobs[].export', 'jobs[].export.fetch.from', 'fleet.database']),
    );
    expect(keys).toEqual(expect.arrayContaining(['jobs[].rates[].hours', 'jobs[].media.to', 'sync.webhook.on']));
    expect(keys.length).toBeGreaterThan(150);
  });

  it.each(keys)('has a rule for %s', (key) => {
    expect(ruleOf(key)).toBeDefined();
  });

  it('has no rule for a key that does not exist', () => {
    expect(keysWithRules.map(([key]) => key).filter((key) => !keys.includes(key) && !consents.includes(key))).toEqual(
      [],
    );
    for (const key of ['nonsense', 'jobs[].nonsense', 'jobs[].fleet.lease', 'toString', 'jobs[].toString'])
      expect(ruleOf(key)).toBeUndefined();
  });

  it('explains what every key that is not always used can do', () => {
    for (const [key, { counts, because }] of keysWithRules) expect(because === '', key).toBe(counts === 'always');
  });

  it('lets no key count that holds an address, a key or a program', () => {
    const risky = /url|command|endpoint|database|secret|token|key|credential|address|mapping|webhook|listen|appId/i;
    // The folder of an export is no key, and neither is the number of reports to keep.
    const found = keys.filter((key) => risky.test(key.replace('keepReports', '')));
    expect(found.length).toBeGreaterThan(25);
    for (const key of found) expect(ruleOf(key)?.counts, key).toBe('never');
  });
});
