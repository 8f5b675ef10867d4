import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { planExport } from '../../src/commands/prepare.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { listSamples, type Sample } from '../contracts/samples.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { stagedContent } from '../scenes/staged-content.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { isNightly } from '../tier.ts';

const home = temporaryFolder();
const quick: readonly string[] = ['samples/slack/every-feature'];
const samples = listSamples().filter(({ folder }) => isNightly || quick.includes(folder));

/** One mapping after the other. */
const answers: readonly Readonly<Record<string, Readonly<Record<string, unknown>>>>[] = [
  {},
  { people: { unknownAuthors: 'skip' } },
  { messages: { system: 'keep', edited: 'skip', deleted: 'keep', orphans: 'unlink' } },
  { people: { unknownAuthors: 'reject' }, messages: { threads: 'quote' } },
];

it.each(samples)('a plan of a changed mapping leaves what a plan from nothing would: $folder', async (sample) => {
  const folder = home.make();
  for (const [index, answer] of answers.entries()) {
    const changed = await planSample(folder, 'chatferry.db', sample, answer);
    const fromNothing = await planSample(folder, `${index}.db`, sample, answer);
    expect(changed.content, JSON.stringify(answer)).toEqual(fromNothing.content);
    expect(changed.report, JSON.stringify(answer)).toEqual(fromNothing.report);
  }
});

async function planSample(folder: string, name: string, sample: Sample, answer: (typeof answers)[number]) {
  const path = join(sample.folder, 'mapping.yaml');
  const own = existsSync(path) ? parse(readFileSync(path, 'utf8')) : {};
  const sections = Object.entries(answer).map(([section, values]) => [section, { ...own[section], ...values }]);
  const exports = readdirSync(sample.folder).filter((file) => file.startsWith('export'));
  const store = join(folder, name);
  const request = await sessionRequest(folder, {
    store,
    from: exports.sort().map((file) => join(sample.folder, file)),
    source: sample.source,
    mapping: stringify({ ...own, ...Object.fromEntries(sections) }),
    // Noon of the first of December 2026.
    clock: { ...systemClock, now: () => Date.UTC(2026, 11, 1, 12) },
  });
  const { totals, people, contents, losses } = (await planExport(request)).report;
  return { content: stagedContent(store), report: { totals, people, contents, losses } };
}
