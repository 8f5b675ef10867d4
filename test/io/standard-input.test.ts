import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const openExport = new URL('../../src/io/input/open-export.ts', import.meta.url).href;
const script = `
  const { openExport } = await import(${JSON.stringify(openExport)});
  for (const round of [1, 2]) {
    const [input] = await openExport(['-']);
    const [path] = await input.paths();
    console.log(round, input.key, path, Buffer.from(await input.read(path, 100)).toString());
    await input.close();
  }`;

describe('standard input as an export', () => {
  it('is opened as often as one likes, and its copy goes with the process', () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('chatferry-'));
    const done = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      input: 'id,text',
      encoding: 'utf8',
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
    });
    expect(done.stdout).toBe('1 /dev/stdin standard-input id,text\n2 /dev/stdin standard-input id,text\n');
    const after = readdirSync(tmpdir()).filter((name) => /^chatferry-[A-Za-z0-9]{6}$/.test(name));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
  });
});
