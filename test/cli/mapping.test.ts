import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';
import { smallExport } from './samples.ts';

const home = temporaryFolder();

describe('chatferry mapping test', () => {
  const mapping = (text: string) =>
    `examples: [{ name: it, record: { author: U1, text: hi }, payload: { data: { text: ${text} } } }]\n`;

  it('ends with 0 where every example is as its file says', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'a.yaml'), mapping('hi'));
    writeFileSync(join(folder, 'b.yaml'), '{}');
    expect(await run(['mapping', 'test', 'a.yaml', 'b.yaml'], { folder })).toMatchObject({
      code: 0,
      stdout: 'a.yaml: 1 example, as the file says\nb.yaml: no examples\n',
    });
  });

  it('shows every difference and ends with 2, in words and as JSON', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'a.yaml'), mapping('ho'));
    const { code, stdout } = await run(['mapping', 'test', 'a.yaml'], { folder });
    expect(code).toBe(2);
    expect(stdout).toBe(`a.yaml: 1 of 1 not as the file says
  a.yaml:1:12: it
    payload.data.text
      expected  "ho"
      found     "hi"
`);
    const { json } = await runJson(['mapping', 'test', 'a.yaml'], { folder });
    expect(json).toMatchObject({
      command: 'mapping test',
      files: [{ examples: [{ differences: [{ path: 'payload.data.text', expected: '"ho"', found: '"hi"' }] }] }],
      exit: 2,
    });
  });
});

describe('--only', () => {
  it('names the column of the term that it cannot parse', async () => {
    const folder = home.make();
    const { code, stderr } = await run(['plan', smallExport(folder), '--only', 'in:a chanel:b'], { folder });
    expect(code).toBe(2);
    expect(stderr).toContain('Cannot use --only: column 6: expected one of in: from:');
  });

  it('needs an export, and is included in the next command', async () => {
    const folder = home.make();
    const planned = await run(['plan', smallExport(folder), '--only', 'kind:message after:2001-01-01'], { folder });
    expect(planned.stdout).toContain(`--only 'kind:message after:2001-01-01'`);
    const { code, stderr } = await run(['import', '--only', 'in:a'], { folder });
    expect(code).toBe(2);
    expect(stderr).toContain('Cannot apply --only without an export');
  });
});
