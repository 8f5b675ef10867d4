import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, serveSandbox, start, testHost, testKey } from './in-process.ts';

const home = temporaryFolder();
const sample = join(process.cwd(), 'samples/slack/every-feature/export');

/** A folder in which the sample was planned. */
async function planned(): Promise<string> {
  const folder = home.make();
  expect((await run(['plan', sample, '--quiet'], { folder })).code).toBe(0);
  return folder;
}

const csvRows = (count: number) =>
  Array.from(
    { length: count },
    (_, row) =>
      `${row + 1},${['Kitchen', 'Harbour', 'Mill'][row % 3]},${row % 2 ? 'Ann' : 'Bob'},2026-03-02T09:00:00Z,"hi\n${row}"`,
  );
const csvText = (count: number) => `id,room,author,time,text\n${csvRows(count).join('\n')}\n`;
const csvMapping = 'source:\n  messages: { id: id, conversation: room, author: author, time: time, text: text }\n';

describe('explain', () => {
  it('takes the place of a message, as reports name it', async () => {
    const folder = await planned();
    const { stdout: report } = await run(['explain', '1772470930.004200', '--json'], { folder });
    const [{ location, muid }] = JSON.parse(report).messages;
    expect(location).toMatch(/^[\w-]+\/\d{4}-\d\d-\d\d\.json#\/\d+$/);
    const { stdout, code } = await run(['explain', location], { folder });
    expect(code).toBe(0);
    expect(stdout).toContain(`${muid}\n`);
  });

  it('takes the line of a table', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'chat.csv'), csvText(3));
    writeFileSync(join(folder, 'm.yaml'), csvMapping);
    await run(['plan', 'chat.csv', '--mapping', 'm.yaml', '--quiet'], { folder });
    const { stdout, code } = await run(['explain', 'chat.csv:4'], { folder });
    expect(code).toBe(0);
    expect(stdout).toMatch(/location +chat\.csv:4 /);
    expect(stdout).toContain('id at the source 2');
    const nothing = await run(['explain', 'chat.csv:40'], { folder });
    expect(nothing).toMatchObject({ code: 2 });
    expect(nothing.stderr).toContain('no message with this id or at this place');
  });
});

describe('inspect', () => {
  it('shows a table whose columns were all recognised, and ends with 0', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'chat.csv'), csvText(7));
    const { code, stdout, stderr } = await run(['inspect', 'chat.csv'], { folder });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Messages +7 /m);
    expect(stdout).toMatch(/^ {2}messages\.author: author \("author": 7 of 7 rows have it, 2 different: Bob; Ann\)$/m);
    expect(stdout).toMatch(/chatferry init chat\.csv$/m);
    expect(stderr).toMatch(/^Reading +7 in /m);
  });

  it('still asks for a mapping if a column has several meanings', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'chat.csv'), 'a,b\n1,2\n2,3\n3,4\n');
    expect(await run(['inspect', 'chat.csv'], { folder })).toMatchObject({ code: 2 });
  });
});

describe('undo', () => {
  it('reports that nothing was rolled back if the answer is n', async () => {
    const folder = home.make();
    await run(['import', sample, '--quiet'], { folder });
    const { host, stdout } = testHost({ folder });
    const stdin = Object.assign(Readable.from(['n\n']), { isTTY: true });
    const terminal = { ...host, stdin, stdout: Object.assign(stdout, { isTTY: true, columns: 100 }) };
    const cwd = process.cwd();
    process.chdir(folder);
    try {
      await main(['node', 'chatferry', 'undo', '--grace-period', '0s'], terminal);
    } finally {
      process.chdir(cwd);
    }
    expect(stdout.text).toContain('Nothing was done: the answer was not "y", so Chatferry did not roll back ');
    expect(stdout.text).not.toContain('Rolled back: 0');
  });
});

it('import --quiet prints the result, and neither progress nor messages', async () => {
  const folder = home.make();
  const { stdout, stderr } = await run(['import', sample, '--quiet'], { folder });
  expect(stderr).toBe('');
  expect(stdout).toMatch(
    /^! Rehearsal complete; the hosted service would refuse 33 of 33 messages \(older than 183 days\)\n! All 33/,
  );
});

describe('the sandbox', () => {
  it.each([{}, { CHATFERRY_API_KEY: testKey }])('prints a line that can be pasted, with %j', async (env) => {
    const folder = home.make();
    const running = start(['sandbox', '--port', '0', '--data', 's.db'], { folder, env });
    const made = 'CHATFERRY_API_KEY' in env ? undefined : await running.line('CHATFERRY_API_KEY=');
    const key = made?.split('CHATFERRY_API_KEY=')[1];
    const line = (await running.line(' doctor '))!;
    const [, args] = /^ {2}(?:npx )?chatferry (.+)$/.exec(line)!;
    const given = { ...env, ...(key !== undefined && { CHATFERRY_API_KEY: key }) };
    const looked = await run(args!.split(' '), { folder, env: given });
    running.kill('SIGTERM');
    const { stdout } = await running.ended;
    expect(looked.code).toBe(0);
    expect(looked.stdout).toMatch(/^ok {7}address /m);
    expect(stdout).not.toContain('…');
    expect(stdout.includes(testKey)).toBe(false);
  });
});

describe('sync for programs', () => {
  const areJson = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { msg?: string });

  function configured(log: string): string {
    const folder = home.make();
    cpSync(sample, join(folder, 'export'), { recursive: true });
    const job = 'jobs:\n  - { name: chat, export: ./export, to: sandbox, schedule: "0 * * * *" }\n';
    writeFileSync(join(folder, 'chatferry.yaml'), `sync:\n  state: ./sync.db\n${log}${job}`);
    return folder;
  }

  const once = ['sync', '--config', './chatferry.yaml', '--once'];

  it.each([
    ['with a log', '  log: { level: info }\n', {}],
    ['under systemd', '', { JOURNAL_STREAM: '8:1' }],
  ])('%s writes lines of JSON alone', async (_, log, env) => {
    const folder = configured(log);
    const { code, stdout, stderr } = await run(once, { folder, env });
    expect(code).toBe(0);
    expect(stdout).toBe('');
    expect(areJson(stderr).map(({ msg }) => msg)).toContain('run ended');
  });

  it('says so too why it cannot run', async () => {
    const folder = configured('  log: { level: info }\n');
    const { code, stdout, stderr } = await run([...once, '--job', 'nobody'], { folder });
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(areJson(stderr)).toMatchObject([{ level: 'error', msg: 'Cannot run job "nobody": there is no such job' }]);
  });

  it('without either is for people', async () => {
    const { stdout } = await run(once, { folder: configured('') });
    expect(stdout).toContain('chat #1: 33 imported');
  });
});

it('a stop is announced once, with its code if the message does not contain it', async () => {
  const folder = home.make();
  const server = await serveSandbox(folder);
  const { stdout } = await run(['import', sample, '--to', server.url, '--yes', '--quiet'], {
    folder,
    env: { CHATFERRY_API_KEY: 'another-key' },
  });
  const report = readFileSync(join(folder, 'chatferry.report/report.html'), 'utf8');
  await server.stop();
  expect(stdout).toMatch(/^ {2}Stopped: /m);
  expect(stdout).not.toMatch(/Stopped: Stopped/);
  const line = /^ {2}Stopped: (.*)$/m.exec(stdout)![1]!;
  expect(line.match(/AUTH_ERR_\w+/g)).toHaveLength(1);
  expect(report).not.toContain('Stopped: ');
});
