import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readingCodes } from '../../src/mapping/checks.ts';
import { parseRules } from '../../src/mapping/load.ts';
import { testMapping, planExport } from '../../src/commands/prepare.ts';
import { importExport } from '../../src/commands/move.ts';
import { sourceNamed } from '../../src/plan/choose-source.ts';
import { sources } from '../../src/sources/registry.ts';
import { listSamples, type Sample } from '../contracts/samples.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { readTracked } from './tracked-files.ts';

const home = temporaryFolder();
const isReadingCode = new Set(readingCodes().map(({ code }) => code));
const page = readTracked('docs/guides/mappings.md');
const isSchema = new Ajv2020({ strict: false }).compile(JSON.parse(readTracked('mappings/mapping.schema.json')));

const names = readdirSync('mappings')
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace(/\.yaml$/, ''));

/** Those that are called after a source whose fields are known: they hold decisions alone. The others bind columns. */
const ofSources = names.filter((name) => sources.some((source) => source.name === name));
const shapes = names.filter((name) => !ofSources.includes(name));

/** Findings that a mapping may cause: rows and columns that do not belong in a chat. */
const expected = new Set(['left-out', 'column-not-migrated', 'column-not-named', 'table-not-read']);

/** Totals of each sample: read, skipped by rule, sent, and the number of chats. */
const outcomes: Readonly<Record<string, { read: number; skipped: number; sent: number; chats: number }>> = {
  buddypress: { read: 7, skipped: 0, sent: 7, chats: 3 },
  'child-tables': { read: 9, skipped: 1, sent: 8, chats: 4 },
  django: { read: 8, skipped: 2, sent: 6, chats: 2 },
  'mongo-chat': { read: 6, skipped: 1, sent: 5, chats: 2 },
  'one-table': { read: 9, skipped: 1, sent: 8, chats: 2 },
  'own-database': { read: 9, skipped: 1, sent: 8, chats: 4 },
  rails: { read: 7, skipped: 1, sent: 6, chats: 2 },
  'support-tickets': { read: 9, skipped: 4, sent: 5, chats: 2 },
  'three-tables': { read: 8, skipped: 3, sent: 5, chats: 3 },
  'two-people': { read: 6, skipped: 1, sent: 5, chats: 3 },
};

/** The sample of a mapping is called after it: `samples/csv/mapping-one-table`. */
const sampleOf = (name: string): Sample => {
  const [sample, ...more] = listSamples().filter((candidate) => candidate.name === `mapping-${name}`);
  if (!sample || more.length > 0) throw new Error(`Expected one sample "mapping-${name}", found ${more.length + 1}`);
  return sample;
};

/** `export`, `export.csv`: what a user would name on the command line. */
const exportOf = ({ folder }: Sample) => join(folder, readdirSync(folder).find((file) => file.startsWith('export'))!);

const textOf = (name: string) => readTracked(`mappings/${name}.yaml`);

describe('every mapping', () => {
  it.each(names)('%s.yaml conforms to the published schema and the source', (name) => {
    expect(isSchema(parse(textOf(name))), JSON.stringify(isSchema.errors)).toBe(true);
    const { source } = parseRules(textOf(name), `mappings/${name}.yaml`);
    const adapter = sourceNamed(ofSources.includes(name) ? name : sampleOf(name).source);
    expect(adapter.options.safeParse(source).error).toBeUndefined();
  });

  it.each(names)('%s.yaml begins with the schema for editors', (name) => {
    expect(textOf(name)).toMatch(/^# yaml-language-server: \$schema=\.\/mapping\.schema\.json\n/);
  });
});

describe('every mapping of a source', () => {
  it.each(ofSources)('%s.yaml has examples, which hold', async (name) => {
    const results = await testMapping(`mappings/${name}.yaml`, { limits: {} });
    expect(results.length).toBeGreaterThan(0);
    expect(results.flatMap(({ differences }) => differences)).toEqual([]);
  });

  it.each(ofSources)('%s.yaml is on the page of mappings', (name) => {
    expect(page).toContain(`(../../mappings/${name}.yaml)`);
  });
});

describe('every mapping of tables', () => {
  it('has an outcome here', () => {
    expect(Object.keys(outcomes).sort()).toEqual([...shapes].sort());
  });

  it.each(shapes)('%s.yaml is what its sample is read with (else: cp it there)', (name) => {
    expect(readFileSync(join(sampleOf(name).folder, 'mapping.yaml'), 'utf8')).toBe(textOf(name));
  });

  it.each(shapes)('%s.yaml brings its sample into the service, with every row accounted for', async (name) => {
    const folder = home.make();
    const { read, skipped, sent, chats } = outcomes[name]!;
    const request = await sessionRequest(folder, { mapping: textOf(name), from: [exportOf(sampleOf(name))] });
    const planned = await planExport(request);
    expect(planned.report.totals).toMatchObject({ read, skipped, planned: sent, pending: sent, invalid: 0 });
    // Findings of checks belong to the sample; the columns themselves must be read without a finding.
    const fromReading = planned.report.problems.filter(({ code }) => isReadingCode.has(code) && !expected.has(code));
    expect(fromReading).toEqual([]);

    const { report, exit } = await importExport(request);
    expect(report.totals).toMatchObject({ read, skipped, planned: sent, imported: sent, invalid: 0, failed: 0 });
    expect(report.verify).toMatchObject({ same: sent, missing: 0, extra: 0, different: 0, duplicated: 0 });
    expect(exit).toBe(0);
    expect(sandboxContents(join(folder, 'chatferry.sandbox.db')).size).toBe(chats);
  });

  it.each(shapes)('%s.yaml is on the page of mappings, with the commands that show it', (name) => {
    const row = page.split('\n').find((line) => line.includes(`../../mappings/${name}.yaml`));
    const shown = `${exportOf(sampleOf(name))} --mapping mappings/${name}.yaml`;
    expect(row).toContain(`(../../${sampleOf(name).folder})`);
    for (const command of ['plan', 'import']) expect(page).toContain(`    chatferry ${command} ${shown}\n`);
  });
});

describe('support-tickets.yaml', () => {
  const mapping = textOf('support-tickets');
  const sample = exportOf(sampleOf('support-tickets'));
  const comments = readFileSync(join(sample, 'comments.csv'), 'utf8');

  /** Everything that was written while the comments were imported. */
  const importComments = async (text: string) => {
    const folder = home.make();
    const copy = join(home.make(), 'export');
    cpSync(sample, copy, { recursive: true });
    writeFileSync(join(copy, 'comments.csv'), text);
    const { report } = await importExport(await sessionRequest(folder, { mapping, from: [copy] }));
    const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((file) => file.isFile());
    const written = files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
    return { totals: report.totals, written: [JSON.stringify(report), ...written] };
  };

  it('leaves no trace of private notes, of unmarked ones, or of their files', async () => {
    const { totals, written } = await importComments(comments);
    expect(comments.match(/PRIVATE.NOTE/g)).toHaveLength(5);
    expect(totals.imported).toBe(5);
    expect(written.filter((text) => /PRIVATE.NOTE/.test(text))).toEqual([]);
  });

  it('sends nothing of a table that does not state what is public', async () => {
    const { totals, written } = await importComments(comments.replace(',public,', ',visible,'));
    expect(totals).toMatchObject({ planned: 0, imported: 0 });
    expect(totals.invalid).toBeGreaterThan(0);
    expect(written.filter((text) => /PRIVATE.NOTE/.test(text))).toEqual([]);
  });
});
