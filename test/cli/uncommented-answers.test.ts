import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { askedExports } from '../scenes/asked-exports.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { everyNth, isNightly } from '../tier.ts';
import { run } from './in-process.ts';

const home = temporaryFolder();
const exports = askedExports.filter((path) => isNightly || !path.endsWith('.sql'));

/** Lines of the mapping that offer an answer, by the line of the "?" that they answer. */
function offered(lines: readonly string[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  lines.forEach((line, at) => {
    if (!/^ *#[^ ].*# /.test(line)) return;
    let top = at;
    while (/^ *#[^ ]/.test(lines[top]!)) top -= 1;
    if (lines[top]!.endsWith(': "?"')) found.set(top, [...(found.get(top) ?? []), at]);
  });
  return found;
}

const uncommented = (lines: readonly string[], chosen: readonly number[]): string =>
  lines.map((line, at) => (chosen.includes(at) ? line.replace('#', '') : line)).join('\n');

/** With one line of each open question taken, that of `option` if it is among them. */
function answered(text: string, option?: number): string {
  const lines = text.split('\n');
  const chosen = [...offered(lines).values()].map((options) => options.find((at) => at === option) ?? options[0]!);
  return uncommented(lines, chosen);
}

/** Rounds until nothing new is asked. */
const roundsMax = 8;

/** Takes a line, and follows what the program says, until a plan goes through. @returns Why it does not */
async function follow(folder: string, init: readonly string[], option: number): Promise<string | undefined> {
  const mapping = join(folder, 'chatferry.mapping.yaml');
  const chosen = readFileSync(mapping, 'utf8').split('\n')[option]!.trim();
  writeFileSync(mapping, answered(readFileSync(mapping, 'utf8'), option));
  for (let round = 0; round < roundsMax; round++) {
    const { code, stdout, stderr } = await run(['plan', '--store', `${option}.db`], { folder });
    // Nothing is open then: a person has to look at the reading as a whole.
    if (code === 0 || code === 3 || stdout.includes('--confirm-reading')) return undefined;
    if (!/chatferry init|no decision for/.test(stderr)) return `${code} ${chosen}: ${stderr}`;
    const again = await run([...init], { folder });
    if (again.code !== 0 && again.code !== 2) return `${again.code} ${chosen}: ${again.stderr}`;
    // Without an answer on offer, only the owner can go on.
    const text = readFileSync(mapping, 'utf8');
    const more = answered(text);
    if (more === text && again.code === 2) return undefined;
    writeFileSync(mapping, more);
  }
  return `${chosen}: no end`;
}

it.each(everyNth(6, exports))('every line that init offers for %s is an answer with which it goes on', async (path) => {
  const folder = home.make();
  const mapping = join(folder, 'chatferry.mapping.yaml');
  const init = ['init', path, '--yes', '--no-count'];
  await run(init, { folder });
  const text = readFileSync(mapping, 'utf8');
  const faults: (string | undefined)[] = [];
  for (const option of [...offered(text.split('\n')).values()].flat()) {
    writeFileSync(mapping, text);
    faults.push(await follow(folder, init, option));
  }
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});

it.each(everyNth(6, exports))('the command that init prints next for %s runs as it is printed', async (path) => {
  const folder = home.make();
  let args: readonly string[] = ['init', path, '--yes', '--no-count'];
  for (let round = 0; round < roundsMax; round++) {
    const { code, stdout, stderr } = await run([...args], { folder });
    expect([0, 2]).toContain(code);
    expect(stderr).not.toMatch(/^Cannot/m);
    const next = /\nNext\n.*? chatferry (.*)\n/.exec(stdout)?.[1];
    expect(next).toBeDefined();
    // Without a proposal, the next command asks at the terminal.
    if (!next!.includes(' --yes')) break;
    args = [...shellWords(next!), '--no-count'];
  }
});

/** The words of a command line as a shell takes them. */
const shellWords = (line: string): readonly string[] =>
  [...line.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)].map(([word]) => word.replaceAll(/'([^']*)'|\\(.)/g, '$1$2'));
