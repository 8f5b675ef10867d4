import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { confirmReading } from '../scenes/confirm-reading.ts';
import { questionsIn } from '../scenes/questions-in.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';
import { everyFeature, smallExport } from './samples.ts';

const home = temporaryFolder();

// As many as `init` needs for certainty when they repeat.
const rooms = ['lobby', 'quay', 'pier'];
const people = ['ann', 'bo'];

describe('chatferry init', () => {
  it('writes what plan and import then read by themselves, and names the next command', async () => {
    const folder = home.make();
    const { code, stdout } = await run(['init', everyFeature, '--yes', '--set', 'messages.deleted=keep'], { folder });
    expect(code).toBe(0);
    expect(stdout).toContain('export: Slack export (folder or ZIP), because of ');
    expect(stdout).toContain('Wrote chatferry.mapping.yaml\nWrote chatferry.yaml\n');
    expect(stdout).toMatch(/\d people not described in any file of the export/);
    expect(stdout).toMatch(/Next\n {2}.*chatferry plan\n$/);
    const planned = await runJson(['plan'], { folder });
    expect(planned).toMatchObject({ code: 0, json: { read: 42, planned: 35 } });
  });

  it('prints one object for --json', async () => {
    const folder = home.make();
    const { json, code } = await runJson(['init', smallExport(folder), '--yes', '--quiet'], { folder });
    expect(code).toBe(0);
    expect(json).toMatchObject({ command: 'init', source: 'slack', open: [], counts: { messages: 3 }, exit: 0 });
  });

  it('without a terminal needs --yes, and says how to answer', async () => {
    const folder = home.make();
    const { code, stderr } = await run(['init', smallExport(folder)], { folder });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'Cannot ask: standard input and output are no terminal\n' +
        '  Pass --yes to take what has one reading; --set KEY=VALUE decides the rest\n',
    });
  });

  it('says which key a --set does not know, before it reads anything', async () => {
    const folder = home.make();
    const { code, stderr } = await run(['init', 'nowhere.zip', '--yes', '--set', 'people.uidd=x'], { folder });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('people.uidd: there is no such key') });
  });

  it('prints the settings that it keeps, and what --force would do', async () => {
    const folder = home.make();
    const args = ['init', smallExport(folder), '--yes'];
    await run(args, { folder });
    const again = await run([...args, '--store', 'other.db'], { folder });
    expect(again.stdout).toContain('Kept chatferry.mapping.yaml: nothing is new\n');
    expect(readFileSync(join(folder, 'chatferry.yaml'), 'utf8')).toContain('\nstore: other.db\n');
    const forced = await run([...args, '--force'], { folder });
    expect(forced.stdout).toContain(
      'Replaced chatferry.mapping.yaml; the old content is in chatferry.mapping.yaml.bak',
    );
  });

  it('keeps a second question about the same key open when the first is answered in the file', async () => {
    const folder = home.make();
    const row = (id: number) =>
      `${id},${rooms[id % 3]},${people[id % 2]},2024-03-0${id}T10:00:00Z,Tom &amp; Jo ${id},One &lt; two ${id}`;
    writeFileSync(
      join(folder, 'chat.csv'),
      `id,channel,user_id,created_at,body,message\n${[1, 2, 3, 4, 5, 6].map(row).join('\n')}\n`,
    );
    const path = join(folder, 'chatferry.mapping.yaml');
    const plan = () => run(['plan', 'chat.csv', '--mapping', path], { folder });
    expect(await run(['init', 'chat.csv', '--yes'], { folder })).toMatchObject({ code: 2 });
    expect(await plan()).toMatchObject({ code: 2, stderr: expect.stringContaining('no decision for source.') });
    const written = readFileSync(path, 'utf8');
    writeFileSync(path, written.replace(/^( *)#(text: .*from: body)/m, '$1$2'));
    expect(await plan()).toMatchObject({ code: 2, stderr: expect.stringContaining('source.messages.text.markup') });
    const decided = readFileSync(path, 'utf8').replace('from: body, markup: "?"', 'from: body, markup: html');
    writeFileSync(path, decided);
    await confirmReading(folder, 'chat.csv', '--mapping', path);
    expect(await plan()).toMatchObject({ code: 0 });
  });

  describe('on a table that does not say who wrote', () => {
    const rows = ['Jo', 'Ann', 'Jo', 'Ann', 'Jo', 'Jo'].map(
      (who, index) => `${index},${rooms[index % 3]},${who},2024-03-0${index + 1}T10:00:00Z,Hello`,
    );
    const folderWith = (lines: readonly string[]) => {
      const folder = home.make();
      writeFileSync(join(folder, 'chat.csv'), `id,channel,Bearbeiter,created_at,text\n${lines.join('\n')}\n`);
      return folder;
    };

    it('leaves it open with --yes, and says what each answer does and how to give it', async () => {
      const folder = folderWith(rows);
      const asked = await run(['init', 'chat.csv', '--yes'], { folder });
      expect(asked.code).toBe(2);
      expect(asked.stdout).toContain(
        [
          'Needs your decision, in the mapping or with one of these each',
          '',
          '  Who wrote a message?',
          '    no column is for certain who wrote it',
          '    - Take the author from "Bearbeiter": "Bearbeiter": 6 of 6 rows have it, 2 different: Jo; Ann',
          '        --set source.messages.author=Bearbeiter',
          '    - Name "unknown" as the author of all messages: if authors need not be distinguished: one author for all',
          "        --set 'source.messages.author={ constant: unknown }'",
          '',
          'Next',
          '',
        ].join('\n'),
      );
      expect(/Next\n.* chatferry (init .*)\n/.exec(asked.stdout)?.[1]).toBe('init chat.csv');
      const answer = ['--set', 'source.messages.author=Bearbeiter'];
      expect((await run(['init', 'chat.csv', '--yes', ...answer], { folder })).code).toBe(0);
      expect((await runJson(['plan'], { folder })).json).toMatchObject({ planned: 6 });
    });

    it('shows rows and the resulting messages, with a "?" for open values', async () => {
      const folder = folderWith(rows);
      const { stdout } = await run(['init', 'chat.csv', '--yes'], { folder });
      expect(stdout).toContain(
        [
          'chat.csv:2',
          '  row           id: 0  channel: lobby  Bearbeiter: Jo',
          '                created_at: 2024-03-01T10:00:00Z  text: Hello',
          '  time          2024-03-01 10:00:00 UTC',
          '  author        ?',
          '  conversation  lobby',
          '  seen by       its members',
          '  text          Hello',
          '',
        ].join('\n'),
      );
      writeFileSync(join(folder, 'odd.csv'), 'a,b,c\nfoo,7th of May,hello\nbar,8th of May,there\n');
      const odd = await run(['init', 'odd.csv', '--yes', '--force'], { folder });
      expect(odd.stdout).toContain(
        'odd.csv:3\n  row           a: bar  b: 8th of May  c: there\n  time          ?\n  author        ?\n',
      );
    });

    it('assumes no author with --assume, and lists the questions left open', async () => {
      const folder = folderWith(rows);
      const { code, stdout } = await run(['init', 'chat.csv', '--assume'], { folder });
      expect(code).toBe(2);
      expect(stdout).not.toContain('Assumed');
      expect(stdout).toContain('--assume took none of these');
      const { json } = await runJson(['init', 'chat.csv', '--assume', '--force', '--quiet'], { folder });
      expect(json).toMatchObject({ assumed: [], open: [{ id: 'source.messages.author' }], exit: 2 });
    });

    it.each([
      [
        'source.messages.author=Bearbeter',
        'source.messages.author: There is no column "Bearbeter"; did you mean "Bearbeiter"?',
      ],
      ['source.messages.autor=Bearbeiter', 'source.messages.autor: there is no such key; did you mean "author"?'],
      ['source.messages.time.format=dd/MM/jjjj', 'source.messages.time.format: expected one of iso'],
      ['source.zone=Berlin', 'source.zone: expected a time zone such as Europe/Berlin'],
    ])('rejects --set %s immediately and explains why', async (setting, words) => {
      const folder = folderWith(rows);
      const { code, stderr } = await run(['init', 'chat.csv', '--yes', '--set', setting], { folder });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
      expect(readdirSync(folder)).not.toContain('chatferry.yaml');
    });

    it('does not blame a mapping that was there for a column that this export lacks', async () => {
      const folder = folderWith(rows);
      const set = (setting: string) => ['--set', `source.messages.${setting}`];
      await run(['init', 'chat.csv', '--yes', ...set('author=Bearbeiter')], { folder });
      const lacking = rows.map((row) => row.replace(/,[^,]*$/, ''));
      writeFileSync(join(folder, 'chat.csv'), `id,channel,Bearbeiter,created_at\n${lacking.join('\n')}\n`);
      const { code, stdout } = await run(['init', 'chat.csv', '--yes'], { folder });
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('6 messages') });
      expect((await run(['init', 'chat.csv', '--yes', ...set('text=body')], { folder })).code).toBe(2);
    });

    it('offers no time for a text, and the two people of a direction under short names', async () => {
      const folder = folderWith([]);
      const row = (id: number, side: string) =>
        `C${id % 2},2024-04-${10 + id}T10:00:00Z,${side},M${id % 2},7${id % 2},Hi`;
      const lines = [1, 2, 3, 4].map((id) => row(id, id % 2 ? 'agent' : 'customer'));
      writeFileSync(
        join(folder, 'short.csv'),
        `conv,Wann,Agent/Customer,agent_name,cust_no,Was\n${lines.join('\n')}\n`,
      );
      const { json } = await runJson(['init', 'short.csv', '--yes', '--quiet'], { folder });
      const readings = (key: string) =>
        questionsIn(json)
          .find((question) => question.key === key)
          ?.readings.map(({ value }) => value);
      expect(readings('messages.text.from')).not.toContain('Wann');
      expect(readings('messages.text.from')).toContain('Was');
      expect(readings('messages.author')![0]).toMatchObject({
        direction: 'Agent/Customer',
        us: 'agent_name',
        them: 'cust_no',
      });
    });

    it('never assumes one group or one author for all', async () => {
      const folder = home.make();
      writeFileSync(join(folder, 'chat.csv'), 'id,user,created_at,text\n1,ann,2024-03-01T10:00:00Z,Hello\n');
      const { code, stdout } = await run(['init', 'chat.csv', '--assume'], { folder });
      expect(code).toBe(2);
      expect(stdout).toContain("--set 'source.messages.conversation={ constant: general }'");
      expect(stdout).toMatch(/Next\n.* chatferry init chat.csv\n$/);
    });

    it('shows the first rows that cannot be read, and ends with 0 only where that is agreed to', async () => {
      const more = Array.from({ length: 20 }, (_, id) => `${id + 10},lobby,Ann,2024-03-08T10:00:00Z,Hello`);
      const bad = ['7,lobby,Jo,2024-03-07T10:00:00Z', '8,,Jo,2024-03-08T10:00:00Z,Hello'];
      const folder = folderWith([...rows, ...bad, ...more]);
      const answers = ['author=Bearbeiter', 'conversation=channel'];
      const request = ['init', 'chat.csv', ...answers.flatMap((answer) => ['--set', `source.messages.${answer}`])];
      const { code, stdout } = await run([...request, '--yes'], { folder });
      expect(code).toBe(3);
      expect(stdout).toContain('26 messages in 3 conversations, 2 rows cannot be read\n');
      expect(stdout).toContain('  chat.csv:8: Cannot read the row: expected 5 fields as in the header, found 4\n');
      expect(stdout).toContain('  chat.csv:9: The row has no conversation');
      expect((await run([...request, '--assume'], { folder })).code).toBe(0);
    });
  });

  it('asks which table holds the messages, although no row can be shown before that', async () => {
    const folder = home.make();
    const row = (id: number) => `${id},${rooms[id % 3]},${people[id % 2]},2024-03-01T1${id}:00:00Z,Hello ${id}`;
    const table = (header: string) => `${header}\n${[1, 2, 3, 4, 5, 6].map(row).join('\n')}\n`;
    writeFileSync(join(folder, 'chat.csv'), table('id,room_id,user_id,created_at,text'));
    writeFileSync(join(folder, 'forum.csv'), table('post_id,topic_id,user_id,posted_at,message'));
    const asked = await run(['init', '.', '--yes'], { folder });
    expect(asked).toMatchObject({ code: 2, stdout: expect.stringContaining("--set 'source.tables.messages=") });
  });

  describe('inside the folder of the export', () => {
    const folderOfTables = () => {
      const folder = home.make();
      const row = (id: number) => `${id},${rooms[id % 3]},${people[id % 2]},2024-03-01T1${id}:00:00Z,Hello`;
      const lines = [1, 2, 3, 4, 5, 6].map(row);
      writeFileSync(join(folder, 'messages.csv'), `id,room_id,user_id,created_at,text\n${lines.join('\n')}\n`);
      writeFileSync(join(folder, 'users.csv'), 'id,name\nann,Ann\nbo,Bo\n');
      return folder;
    };

    it('writes there what plan and import then use, and never reads it as a part of the export', async () => {
      const folder = folderOfTables();
      const made = await run(['init', '.', '--yes'], { folder });
      expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/Next\n {2}.*chatferry plan\n$/) });
      await confirmReading(folder);
      expect(await runJson(['plan'], { folder })).toMatchObject({ code: 0, json: { read: 6, planned: 6 } });
      expect(await runJson(['import', '--yes'], { folder })).toMatchObject({ code: 0, json: { imported: 6 } });
      const again = await runJson(['plan'], { folder });
      expect(again).toMatchObject({ code: 0, json: { read: 6, imported: 6, pending: 0 } });
      const report = JSON.parse(readFileSync(join(folder, 'chatferry.report/report.json'), 'utf8'));
      const own = report.problems.find(({ code }: { code: string }) => code === 'own-file');
      // Configuration, mapping, two stores, report, decisions.
      expect(own).toMatchObject({ severity: 'information', count: 6 });
      expect(await run(['init', '.', '--yes'], { folder })).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Kept chatferry.mapping.yaml: nothing is new\n'),
      });
    });

    it('recognises its own report next to another store', async () => {
      const folder = folderOfTables();
      await run(['init', '.', '--yes', '--store', 'move.db'], { folder });
      await confirmReading(folder);
      for (let round = 0; round < 2; round++)
        expect(await runJson(['plan'], { folder })).toMatchObject({ code: 0, json: { read: 6, invalid: 0 } });
      expect(readdirSync(folder)).toContain('move.report');
    });

    it('no longer counts the mapping once it has changed, until it is trusted again', async () => {
      const folder = folderOfTables();
      await run(['init', '.', '--yes'], { folder });
      writeFileSync(join(folder, 'm.mjs'), 'throw new Error("ran");\n');
      const path = join(folder, 'chatferry.mapping.yaml');
      const written = readFileSync(path, 'utf8');
      for (const change of ['# mine\n', 'module: ./m.mjs\n']) {
        writeFileSync(path, `${written}${change}`);
        for (const args of [['plan'], ['inspect', '.'], ['init', '.', '--yes']])
          expect(await run(args, { folder })).toMatchObject({
            code: 2,
            stderr: expect.stringMatching(
              /the mapping "chatferry.mapping.yaml": it is inside .*, and has changed since/,
            ),
          });
      }
      const trusted = await run(['trust', 'chatferry.mapping.yaml'], { folder });
      expect(trusted.stdout).toMatch(/^chatferry.mapping.yaml says\n[\s\S]*\nTrusted /);
      // The mapping is trusted, and not the program in the export that it names.
      expect(await run(['plan'], { folder })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Cannot use the module "./m.mjs": it is inside the export'),
      });
      writeFileSync(path, `${written}# mine\n`);
      await run(['trust', 'chatferry.mapping.yaml'], { folder });
      await confirmReading(folder);
      expect(await run(['plan'], { folder })).toMatchObject({ code: 0 });
    });

    it('keeps nothing of a mapping that came with the export', async () => {
      const folder = folderOfTables();
      writeFileSync(join(folder, 'chatferry.mapping.yaml'), 'messages: { deleted: keep }\n');
      const words = 'Cannot use the mapping "chatferry.mapping.yaml": it is inside the export "."';
      expect(await run(['init', '.', '--yes'], { folder })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(words),
      });
      expect(readdirSync(folder)).not.toContain('chatferry.yaml');
      expect(await run(['init', '.', '--yes', '--force'], { folder })).toMatchObject({ code: 0 });
      expect(readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8')).not.toContain('deleted: keep\n#');
      await confirmReading(folder);
      expect(await run(['plan'], { folder })).toMatchObject({ code: 0 });
    });
  });
});

it('init --no-count writes the files without reading the export whole, and says so', async () => {
  const folder = home.make();
  const quick = await run(['init', everyFeature, '--yes', '--no-count', '--set', 'people.bots=skip'], { folder });
  expect(quick).toMatchObject({ code: 0, stdout: expect.stringContaining('Not counted: an init without --no-count') });
  expect(quick.stderr).not.toContain('Counting');
  const { json } = await runJson(['init', everyFeature, '--yes'], { folder });
  expect(json).toMatchObject({ counts: { messages: 35 } });
  expect(readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8')).toMatch(/^ {2}bots: skip\b/m);
});
