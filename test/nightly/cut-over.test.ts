import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTracked } from '../repository/tracked-files.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import { run, runJson, serveSandbox, testKey } from '../cli/process.ts';

const home = temporaryFolder();
const page = readTracked('docs/guides/cutover.md');

/** Returns the commands of a step, as a user would type them. */
function commandsOf(step: number): readonly string[][] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${step}. `)) ?? '';
  const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text]) => text!);
  return blocks.flatMap((text) => text.trim().split('\n')).map((line) => line.replace(/^chatferry /, '').split(' '));
}

/** The configuration of step 3. */
const configuration = /^```yaml\n([\s\S]*?)^```/m.exec(page)![1]!;

/** Yesterday: the rehearsal refuses what is old. */
const sentAtMs = Date.now() - 86_400_000;

const records = (path: string, texts: readonly string[]) =>
  writeRecords(path, [
    person('ann'),
    channel('general'),
    ...texts.map((text, index) => says(index + 1, 'general', 'ann', text, { sentAtMs: sentAtMs + index * 1000 })),
  ]);

/** Returns whether a test cannot wait for a command: it runs until it is stopped. */
const goesOn = (words: readonly string[]) =>
  words[0] === 'sandbox' || (words[0] === 'sync' && !words.includes('--once'));

describe('the runbook in docs/guides/cutover.md', () => {
  it('migrates a chat as it says, command by command', async () => {
    const folder = home.make();
    const { url } = await serveSandbox(folder);
    const env = { CHATFERRY_API_KEY: testKey };
    const here = (text: string) =>
      text
        .replaceAll(/https:\/\/(chat\.example\.com|1234567890abcdef\.api-us\.[\w.]+\w)/g, url)
        .replaceAll('--app-id 1234567890abcdef --region us', `--to ${url}`)
        .replaceAll('appId: 1234567890abcdef', `to: ${url}`)
        .replaceAll(/^ +region: us\n/gm, '')
        .replaceAll('export.zip', 'export.ndjson')
        .replaceAll('*.zip', '*.ndjson');
    const exits = async (step: number) => {
      const codes: string[] = [];
      for (const words of commandsOf(step).filter((one) => !goesOn(one))) {
        // On the page, a person at a terminal is asked for confirmation.
        const asked = words[0] === 'purge' ? ['--yes'] : [];
        const { code, stderr } = await run([...here(words.join(' ')).split(' '), ...asked], { folder, env });
        codes.push(`${words[0]} ${code}${code === 0 ? '' : stderr}`);
      }
      return codes;
    };
    writeFileSync(join(folder, 'support.yaml'), 'version: 1\n');
    records(join(folder, 'export.ndjson'), ['one', 'two']);
    expect(await exits(1)).toEqual(['doctor 0', 'plan 0', 'import 0']);
    expect(await exits(2)).toEqual(['import 0', 'status 0']);
    const late = configuration.replace("pattern: '*.zip'", "pattern: '*.zip', settledFor: '0'");
    writeFileSync(join(folder, 'chatferry.yaml'), here(late));
    mkdirSync(join(folder, 'incoming'));
    expect(await exits(3)).toEqual(['jobs 0']);
    records(join(folder, 'incoming', 'delta.ndjson'), ['one', 'two', 'The end']);
    expect(await exits(5)).toEqual(['sync 0', 'status 0']);
    expect(await exits(6)).toEqual(['verify 0', 'verify 0', 'report 0']);
    const { json } = await runJson(['verify', '--store', './support.db'], { folder, env });
    expect(json).toMatchObject({ imported: 3, pending: 0, unconfirmed: 0, verify: { same: 3, missing: 0 } });
    expect(await exits(7)).toEqual(['fetch 0']);
    expect(await exits(8)).toEqual(['purge 0']);
  });
});
