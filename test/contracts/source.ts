import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { describeMutations } from './mutations/mutation-checks.ts';
import { type Sample, samplesOf } from './samples.ts';
import { readSample, type SampleSubject, toLines } from './source/check.ts';
import { fidelityChecks, sampleFidelityChecks } from './source/fidelity-checks.ts';
import { readingChecks } from './source/reading-checks.ts';
import { recordChecks } from './source/record-checks.ts';
import { sourceChecks } from './source/source-checks.ts';

export { readAll } from './source/check.ts';

/**
 * Tests what every source must do, on its own samples. After an intended change, run `UPDATE_SAMPLES=1 vitest run
 * test/sources`, and read the difference line by line. `facts.json` does not change: a person counted it.
 */
export function describeSource(adapter: SourceAdapter): void {
  const samples = samplesOf(adapter.name);
  describe(`source ${adapter.name}`, () => {
    const subjects = new Map(
      samples.map((sample) => [sample, subjectOf(adapter, sample, () => readExpected(adapter, sample))]),
    );
    const whole = (sample: Sample) => subjects.get(sample)!.whole();
    for (const { says, run } of sourceWideChecks) it(says, () => run({ adapter, samples, whole }));
    describeMutations(adapter, samples);
    for (const [sample, subject] of subjects) {
      describe(`sample ${sample.name}`, () => {
        for (const { says, run } of sampleChecks) it(says, () => run(subject));
      });
    }
  });
}

/** A check that does not hold, and what it says. */
export interface Complaint {
  /** `gives times of plausible years` */
  readonly check: string;
  readonly reason: string;
}

/**
 * Returns the complaints of a sample's checks, without a test runner. Writes the expectation again first, as a user
 * does who trusts the source.
 */
export async function complaintsAbout(adapter: SourceAdapter, sample: Sample): Promise<Complaint[]> {
  const written = await readSample({ adapter, sample }).then(toLines, String);
  const subject = subjectOf(adapter, sample, () => written);
  const complaints: Complaint[] = [];
  for (const { says, run } of sampleChecks) {
    try {
      await run(subject);
    } catch (error) {
      complaints.push({ check: says, reason: (error as Error).message });
    }
  }
  return complaints;
}

const sourceWideChecks = [...sourceChecks, ...fidelityChecks];

const sampleChecks = [...readingChecks, ...recordChecks, ...sampleFidelityChecks];

function subjectOf(adapter: SourceAdapter, sample: Sample, expected: SampleSubject['expected']): SampleSubject {
  let reading: ReturnType<SampleSubject['whole']> | undefined;
  const whole = () => {
    reading ??= readSample({ adapter, sample });
    return reading;
  };
  return { adapter, sample, whole, expected };
}

async function readExpected(adapter: SourceAdapter, sample: Sample): Promise<string> {
  const path = join(sample.folder, 'expected.ndjson');
  if (process.env.UPDATE_SAMPLES) writeFileSync(path, toLines(await readSample({ adapter, sample })));
  expect(existsSync(path), `${path} is missing: UPDATE_SAMPLES=1 writes it`).toBe(true);
  return readFileSync(path, 'utf8');
}
