import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFaultPlan } from '../../src/cli/operate/sandbox.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';

const home = temporaryFolderInMemory();

async function messageOf(given: string): Promise<string> {
  try {
    await readFaultPlan(given);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  }
  throw new Error('Nothing was wrong');
}

describe('readFaultPlan()', () => {
  it('takes JSON as it is, or from a file', async () => {
    const json = '{"seed": 7, "rules": [{"answer": "page"}]}';
    const path = join(home.make(), 'faults.json');
    writeFileSync(path, json);
    expect(await readFaultPlan(json)).toMatchObject({ seed: 7, rules: [{ answer: 'page', status: 502 }] });
    expect(await readFaultPlan(path)).toEqual(await readFaultPlan(json));
  });

  it('names every place that is wrong', async () => {
    const message = await messageOf(
      '{"rules": [{"answer": "error", "probability": 2}, {"answer": "page", "stauts": 1}]}',
    );
    expect(message).toContain('/rules/0/probability');
    expect(message).toContain('/rules/1/stauts: there is no such field');
  });

  it('says that a file cannot be read, or holds no JSON', async () => {
    expect(await messageOf('/no/such/faults.json')).toContain('Cannot read --faults "/no/such/faults.json"');
    const path = join(home.make(), 'faults.json');
    writeFileSync(path, 'rules: []');
    expect(await messageOf(path)).toContain(`Cannot use --faults "${path}": expected JSON`);
  });
});
