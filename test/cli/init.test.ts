import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';
import { everyFeature, smallExport } from './samples.ts';

const home = temporaryFolder();

describe('chatferry init', () => {
  it('writes what plan and import then read by themselves, and names the next command', async () => {
    const folder = home.make();
    const { code, stdout } = await run(['init', everyFeature, '--yes', '--set', 'messages.deleted=keep'], { folder });
    expect(code).toBe(0);
    expect(stdout).toContain('export: Slack export (folder or ZIP), because of ');
    expect(stdout).toContain('Wrote chatferry.mapping.yaml\nWrote chatferry.yaml\n');
    expect(stdout).toMatch(/\d people whom no file of the export describes/);
    expect(stdout).toMatch(/Next\n {2}.*chatferry plan .*every-feature\/export\n$/);
    const planned = await runJson(['plan', everyFeature], { folder });
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

  it('says what it keeps, and what --force would do', async () => {
    const folder = home.make();
    const args = ['init', smallExport(folder), '--yes'];
    await run(args, { folder });
    const again = await run([...args, '--store', 'other.db'], { folder });
    expect(again.stdout).toContain('Kept chatferry.mapping.yaml: nothing is new\n');
    expect(readFileSync(join(folder, 'chatferry.yaml'), 'utf8')).toContain('\nstore: other.db\n');
    const forced = await run([...args, '--force'], { folder });
    expect(forced.stdout).toContain(
      'Wrote chatferry.mapping.yaml anew; what was there is in chatferry.mapping.yaml.bak',
    );
  });

  it('keeps a second question about the same key open when the first is answered in the file', async () => {
    const folder = home.make();
    const row = (id: number) => `${id},lobby,ann,2024-03-0${id}T10:00:00Z,Tom &amp; Jo ${id},One &lt; two ${id}`;
    writeFileSync(
      join(folder, 'chat.csv'),
      `id,channel,user_id,created_at,body,message\n${[1, 2, 3].map(row).join('\n')}\n`,
    );
    const path = join(folder, 'chatferry.mapping.yaml');
    const plan = () => run(['plan', 'chat.csv', '--mapping', path], { folder });
    expect(await run(['init', 'chat.csv', '--yes'], { folder })).toMatchObject({ code: 2 });
    expect(await plan()).toMatchObject({ code: 2, stderr: expect.stringContaining('nobody has decided source.') });
    const written = readFileSync(path, 'utf8');
    writeFileSync(path, written.replace(/^( *)#(text: .*from: body)/m, '$1$2'));
    expect(await plan()).toMatchObject({ code: 2, stderr: expect.stringContaining('source.messages.text.markup') });
    const decided = readFileSync(path, 'utf8').replace('from: body, markup: "?"', 'from: body, markup: html');
    writeFileSync(path, decided);
    expect(await plan()).toMatchObject({ code: 0 });
  });

  describe('on a table that does not say who wrote', () => {
    const rows = ['Jo', 'Ann', 'Jo'].map((who, index) => `${index},lobby,${who},2024-03-0${index + 1}T10:00:00Z,Hello`);
    const folderWith = (lines: readonly string[]) => {
      const folder = home.make();
      writeFileSync(join(folder, 'chat.csv'), `id,channel,Bearbeiter,created_at,text\n${lines.join('\n')}\n`);
      return folder;
    };

    it('leaves it open with --yes, and its own advice decides it', async () => {
      const folder = folderWith(rows);
      const asked = await run(['init', 'chat.csv', '--yes'], { folder });
      expect(asked.code).toBe(2);
      expect(asked.stdout).toContain(
        '  --set source.messages.author=Bearbeiter               "Bearbeiter": 3 of 3 rows have it, 2 different: Jo; Ann\n' +
          "  --set 'source.messages.author={ constant: unknown }'  if nobody is to be told apart",
      );
      const advice = /Next\n.* chatferry (init .*)\n/.exec(asked.stdout)?.[1];
      expect(advice).toBe('init chat.csv --yes --set source.messages.author=Bearbeiter');
      expect((await run(advice!.split(' '), { folder })).code).toBe(0);
      expect((await runJson(['plan', 'chat.csv'], { folder })).json).toMatchObject({ planned: 3 });
    });

    it('takes the likeliest with --assume, and says what', async () => {
      const folder = folderWith(rows);
      const { code, stdout } = await run(['init', 'chat.csv', '--assume'], { folder });
      expect(code).toBe(0);
      expect(stdout).toContain('Assumed source.messages.author=Bearbeiter: "Bearbeiter": 3 of 3 rows');
      const { json } = await runJson(['init', 'chat.csv', '--assume', '--force', '--quiet'], { folder });
      expect(json.assumed).toMatchObject([{ key: 'messages.author', value: 'Bearbeiter' }]);
    });

    it.each([
      [
        'source.messages.author=Bearbeter',
        'source.messages.author: There is no column "Bearbeter"; did you mean "Bearbeiter"?',
      ],
      ['source.messages.autor=Bearbeiter', 'source.messages.autor: there is no key "autor"; did you mean "author"?'],
      ['source.messages.time.format=dd/MM/jjjj', 'source.messages.time: format: expected one of iso'],
      ['source.zone=Berlin', 'source.zone: expected a time zone such as Europe/Berlin'],
    ])('says at once what is wrong with --set %s', async (setting, words) => {
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
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('3 messages') });
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
        json.open
          .find((question: { key: string }) => question.key === key)
          ?.readings.map(({ value }: { value: unknown }) => value);
      expect(readings('messages.text.from')).not.toContain('Wann');
      expect(readings('messages.text.from')).toContain('Was');
      expect(readings('messages.author')[0]).toMatchObject({
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
      expect(stdout).toMatch(/Next\n.*--set source.messages.conversation=VALUE\n/);
    });

    it('shows the first rows that cannot be read, and ends with 0 only where that is agreed to', async () => {
      const more = Array.from({ length: 20 }, (_, id) => `${id + 10},lobby,Ann,2024-03-03T10:00:00Z,Hello`);
      const bad = ['4,lobby,Jo,2024-03-04T10:00:00Z', '5,,Jo,2024-03-05T10:00:00Z,Hello'];
      const folder = folderWith([...rows, ...bad, ...more]);
      const request = ['init', 'chat.csv', '--set', 'source.messages.author=Bearbeiter'];
      const { code, stdout } = await run([...request, '--yes'], { folder });
      expect(code).toBe(3);
      expect(stdout).toContain('23 messages in 1 conversation, 2 rows cannot be read\n');
      expect(stdout).toContain('  chat.csv:5: Cannot read the row: expected 5 fields as in the header, found 4\n');
      expect(stdout).toContain('  chat.csv:6: The row has no conversation');
      expect((await run([...request, '--assume'], { folder })).code).toBe(0);
    });
  });
});
