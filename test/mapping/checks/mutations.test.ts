import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue, findCheck } from '../../../src/mapping/checks.ts';
import { planExport } from '../../../src/commands/prepare.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { type CleanExport, cleanExport, nowMs, writeExport } from './clean-export.ts';
import { type Mutation, mutations } from './mutations.ts';

const home = temporaryFolderInMemory();

/** Code and first place of everything that a plan of the export finds. */
async function found(made: CleanExport, { mapping, profile }: Partial<Mutation> = {}) {
  const folder = home.make();
  const path = writeExport(join(folder, 'export'), made);
  const request = await sessionRequest(folder, {
    from: [path],
    clock: { now: () => nowMs, monotonic: () => 0, uptime: () => 0, sleep: async () => {} },
    ...(mapping !== undefined && { mapping }),
    ...(profile && { profile }),
  });
  const { report } = await planExport(request);
  return [...report.invalid, ...report.problems].map(({ code, count, examples, severity }) => ({
    code,
    count,
    severity,
    at: examples[0]?.location,
  }));
}

describe('a clean export', () => {
  it.each([undefined, 'hosted'] as const)('passes every check, profile %s', async (profile) => {
    expect(await found(cleanExport(), profile ? { profile } : {})).toEqual([]);
  });
});

describe('an export with one thing changed is found out by the one check for it:', () => {
  it.each(mutations)('$code', async (mutation) => {
    const made = cleanExport();
    mutation.change(made);
    const at = typeof mutation.at === 'number' ? `export.ndjson:${mutation.at}` : mutation.at;
    const also = mutation.also === undefined ? [] : [{ code: mutation.also }];
    const isOther = ({ code }: { readonly code: string }) => Number(code !== mutation.code);
    const findings = (await found(made, mutation)).sort((a, b) => isOther(a) - isOther(b));
    // Records of ours have no setting for tags in texts, so that there is nothing to decide.
    const severity = mutation.code === 'text-html' ? 'information' : findCheck(mutation.code)!.severity;
    expect(findings).toMatchObject([{ code: mutation.code, at, severity }, ...also]);
  });

  it('in at least sixty ways, each of another check', () => {
    const codes = new Set(mutations.map(({ code }) => code));
    expect(codes.size).toBeGreaterThanOrEqual(60);
    expect(codes.size).toBe(mutations.length);
    const known = new Set(catalogue().map(({ code }) => code));
    expect([...codes].filter((code) => !known.has(code))).toEqual([]);
  });
});
