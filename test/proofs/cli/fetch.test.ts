import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fakeService, handOn } from '../../cli/fake-service.ts';
import { run, serveSandbox, testKey } from '../../cli/in-process.ts';
import { start as startProcess } from '../../cli/process.ts';
import { everyFeature } from '../../cli/samples.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { firstOf } from '../../tier.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

it('chatferry fetch: killed at any page, the same command ends with the same file', async () => {
  const folder = home.make();
  const sandbox = await serveSandbox(folder);
  await run(['import', everyFeature, '--to', sandbox.url, '--yes'], { folder, env });
  let killAt = 0;
  let asked = 0;
  let kill = () => {};
  const proxy = await fakeService((request, response) => {
    asked += 1;
    if (asked === killAt) kill();
    else void handOn(request, response, sandbox.url);
  });
  const args = ['fetch', '--from', proxy.url, '--page-size', '10', '--out'];
  await run([...args, 'whole.ndjson'], { folder, env });
  const whole = readFileSync(join(folder, 'whole.ndjson'), 'utf8');
  expect(whole.split('\n')).toHaveLength(35);
  const pageCount = asked;
  // The last one is empty.
  expect(pageCount).toBe(5);
  const pages = Array.from({ length: pageCount }, (_, page) => page + 1);
  for (const page of firstOf(2, pages)) {
    [asked, killAt] = [0, page];
    const out = `killed-${page}.ndjson`;
    const { child, ended } = startProcess([...args, out], { folder, env });
    kill = () => void child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    expect(existsSync(join(folder, out))).toBe(false);
    killAt = 0;
    const again = await run([...args, out], { folder, env });
    expect({ code: again.code, stderr: again.stderr }).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, out), 'utf8')).toBe(whole);
    // The page that the kill met is asked for again, the ones before are not.
    expect(asked).toBe(page + (pageCount - page + 1));
  }
  await sandbox.stop();
});
