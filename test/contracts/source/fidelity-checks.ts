import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { planExport } from '../../../src/commands/prepare.ts';
import type { Entry } from '../../../src/model/entry.ts';
import type { ChatRecord } from '../../../src/model/records.ts';
import { loadMapping } from '../../../src/mapping/load.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import type { Sample } from '../samples.ts';
import type { Check, SampleSubject, SourceSubject } from './check.ts';
import { factsOf } from './facts.ts';
import { type Claim, featureNamed, type FeatureName, features } from './fidelity.ts';
import { hasColumn } from './has-column.ts';

/** Checks that prove the statements of `docs/understand/fidelity/` about a source on its samples. */
export const fidelityChecks: readonly Check<SourceSubject>[] = [
  {
    says: 'tells of every feature of chats result, by the samples that show it',
    run({ adapter, samples }) {
      if (!hasColumn(adapter)) return;
      const told = new Set(samples.flatMap((sample) => Object.keys(factsOf(sample).fidelity)));
      const untold = features.map(({ name }) => name).filter((name) => !told.has(name));
      expect(untold, 'features of which no facts.json of the source says anything, under "fidelity"').toEqual([]);
    },
  },
  {
    says: 'has nothing of what is said not to be in the export',
    async run({ samples, whole }) {
      const absent = new Set(samples.flatMap((sample) => claimsOf(sample).flatMap(namesOfAbsent)));
      for (const sample of samples) {
        const entries = await whole(sample);
        for (const name of absent.difference(unmarked))
          expect(recordsOf(entries).filter(hasFeature(name)), `${sample.folder} has ${name}`).toEqual([]);
      }
    },
  },
];

/** Features that no record distinguishes from others. */
const unmarked: ReadonlySet<string> = new Set(features.filter((one) => 'isLikeOthers' in one).map(({ name }) => name));

/** The same of one sample. */
export const sampleFidelityChecks: readonly Check<SampleSubject>[] = [
  {
    says: 'keeps, and loses by name, what facts.json says of features of chats',
    async run({ sample, whole }) {
      const claims = claimsOf(sample);
      if (claims.length === 0) return;
      const entries = await whole();
      const isLossClaimed = claims.some(([, { is }]) => is === 'loss');
      const lost = isLossClaimed ? new Set([...(await lossesOf(sample)), ...codesOf(entries)]) : new Set<string>();
      for (const [feature, claim] of claims) prove(feature, claim, { sample, entries, lost });
    },
  },
];

const claimsOf = (sample: Sample): (readonly [FeatureName, Claim])[] =>
  Object.entries(factsOf(sample).fidelity).flatMap(([name, claims]) =>
    claims.map((claim) => [name as FeatureName, claim] as const),
  );

const namesOfAbsent = ([name, { is }]: readonly [FeatureName, Claim]) => (is === 'not in the export' ? [name] : []);

const recordsOf = (entries: readonly Entry[]): ChatRecord[] =>
  entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));

const codesOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap((entry) => ('code' in entry ? [entry.code] : []));

/** Returns whether a record has a feature; false if the model has no field for it. */
const hasFeature =
  (name: FeatureName) =>
  (record: ChatRecord): boolean => {
    const { message, person, conversation } = featureNamed(name);
    if (record.kind === 'message') return message?.(record) === true;
    if (record.kind === 'user') return person?.(record) === true;
    return record.kind === 'conversation' && conversation?.(record) === true;
  };

interface Evidence {
  readonly sample: Sample;
  readonly entries: readonly Entry[];
  readonly lost: ReadonlySet<string>;
}

function prove(feature: FeatureName, claim: Claim, { sample, entries, lost }: Evidence): void {
  const where = `${sample.folder}/facts.json, fidelity of ${feature}`;
  if (claim.is === 'not in the export') return;
  if (claim.is === 'loss') {
    expect([...lost], `${where}: losses and findings of the sample`).toContain(claim.name);
    return;
  }
  const meant = recordsOf(entries).filter(isMeant(claim));
  expect(meant.length, `${where}: no record is ${JSON.stringify(claim)}`).toBeGreaterThan(0);
  const { message, person, conversation } = featureNamed(feature);
  if (claim.is === 'metadata') {
    const keys = meant.flatMap((record) => (record.kind === 'message' ? Object.keys(record.custom ?? {}) : []));
    expect(keys, `${where}: keys of custom`).toContain(claim.key);
  } else if (claim.is === 'action' && claim.name === 'deactivations') {
    expect(
      meant.some((record) => record.kind === 'user' && record.isDeleted),
      where,
    ).toBe(true);
  } else if (message || person || conversation) {
    expect(meant.some(hasFeature(feature)), `${where}: ${JSON.stringify(meant)}`).toBe(true);
  }
}

/** Returns whether a claim is about a record. */
function isMeant({ text, id, person, conversation }: Exclude<Claim, { is: 'loss' | 'not in the export' }>) {
  return (record: ChatRecord): boolean => {
    if (record.kind === 'message') {
      if (text === undefined && id === undefined) return false;
      return record.text.startsWith(text ?? '') && (id === undefined || record.origin.id === id);
    }
    if (record.kind === 'user') return record.id === person;
    return record.kind === 'conversation' && record.id === conversation;
  };
}

/** Returns the losses that a plan of the sample counts, with its own mapping or none. */
async function lossesOf({ folder }: Sample): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), 'chatferry-test-'));
  try {
    const names = readdirSync(folder);
    const from = names.filter((name) => name.startsWith('export')).map((name) => join(folder, name));
    const mapping = await loadMapping(names.includes('mapping.yaml') ? join(folder, 'mapping.yaml') : undefined);
    const request = await sessionRequest(home, { from });
    const { report } = await planExport({ ...request, mapping });
    return [...report.losses.map(({ name }) => name), ...report.problems.map(({ code }) => code)];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
