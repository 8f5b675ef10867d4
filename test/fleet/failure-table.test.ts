import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** Proofs for each row of the table in docs/guides/operate/fleet-failures.md: a test, by file and by words of its name. */
const proofs: Readonly<Record<string, readonly (readonly [file: string, words: string])[]>> = {
  'a worker is killed, a machine is gone with its disk': [
    ['nightly/fleet-failures.test.ts', 'a worker that is gone with its disk is followed by another'],
    ['nightly/fleet-chaos.test.ts', 'while workers are killed with their disks'],
  ],
  'a worker pauses, and resumes': [
    ['nightly/fleet-failures.test.ts', 'a worker that was paused and resumed sends nothing'],
  ],
  'SIGTERM, a deployment': [['proofs/fleet-way.test.ts', 'returns its leases when asked to stop']],
  'a worker is cut off from PostgreSQL': [
    ['nightly/fleet-failures.test.ts', 'a worker that loses the database sends nothing more'],
    ['proofs/fleet/fence.test.ts', 'lets nothing leave, and writes nothing, once a worker was silent'],
  ],
  'PostgreSQL is down': [
    ['proofs/fleet/fence.test.ts', 'waits for a database that is down, and lets nothing leave'],
    ['nightly/fleet-chaos.test.ts', 'PostgreSQL crashes'],
  ],
  'PostgreSQL fails over, or is restored, and has lost commits': [
    ['proofs/fleet/fence.test.ts', 'takes every unit from its worker if the database lost commits'],
    ['simulate/fleet/simulate-fleet.test.ts', 'if lost commits of the database go unnoticed'],
  ],
  'the bucket is down': [
    ['fleet/keep-copies.test.ts', 'requests go on until so many have no copy, and wait'],
    ['nightly/fleet-failures.test.ts', 'copies that cannot be read or written are waited for, and nothing has failed'],
  ],
  'a copy is damaged': [['nightly/fleet-failures.test.ts', 'if the newest copy is damaged, the previous one']],
  'a copy exists, and the database does not know it': [
    ['nightly/fleet-failures.test.ts', 'if the database does not know a copy'],
    ['nightly/fleet-first-copy.test.ts', 'dies before the database knows its first copy'],
  ],
  'all copies of a unit are lost': [
    ['nightly/fleet-failures.test.ts', 'if all copies are lost, everything is read back before anything is sent'],
  ],
  'a destination asks for silence': [
    ['proofs/fleet/fence.test.ts', 'holds everybody where one was asked for silence'],
    ['nightly/fleet-failures.test.ts', 'a destination that asks for silence is left alone, and nothing has failed'],
  ],
  'one unit fails again and again': [
    ['nightly/fleet-failures.test.ts', 'a unit that fails always is dead after 20 leases'],
    ['proofs/fleet/engine.test.ts', 'gives up a unit whose workers died twenty times'],
  ],
  'two units have the same messages': [
    ['nightly/fleet-failures.test.ts', 'two exports with the same messages are sent one after the other'],
  ],
  'two fleets, or a fleet and a laptop, send to one app': [
    ['nightly/fleet-failures.test.ts', 'if all copies are lost, everything is read back before anything is sent'],
  ],
  'clocks are wrong': [['nightly/fleet-failures.test.ts', 'a worker with a wrong clock works like any other']],
  'a worker is older than the copies': [
    ['nightly/fleet-failures.test.ts', 'a worker that is older than the copies gives the lease back'],
  ],
};

const textOf = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** First cells of the table, without its head. */
function rowsOfPage(): readonly string[] {
  const section = /## When something fails\n([\s\S]*?)\n\*\*/.exec(
    textOf('docs/guides/operate/fleet-failures.md'),
  )![1]!;
  return [...section.matchAll(/^\| ([^|]+?) \|/gm)].map(([, what]) => what!).filter((what) => what !== 'what');
}

describe('the table of what happens when something fails', () => {
  it('has a proof for each of its rows, and no proof is for nothing', () => {
    expect([...rowsOfPage()].sort()).toEqual(Object.keys(proofs).sort());
  });

  it.each(Object.entries(proofs))('%s: the test that says so is there', (_, tests) => {
    for (const [file, words] of tests)
      expect(
        [...textOf(`test/${file}`).matchAll(/\bit\(\s*(['"`])(.*?)\1/g)].some(([, , name]) => name!.includes(words)),
        `${file}: ${words}`,
      ).toBe(true);
  });
});
