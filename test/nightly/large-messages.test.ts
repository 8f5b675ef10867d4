import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson, serveSandbox, testKey } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };
const count = 1200;

/** 40 KB each. */
function* largeMessages(): Generator<object> {
  yield { kind: 'chatferry', version: 1, source: 'made-up' };
  yield { kind: 'user', id: 'ines', name: 'Ines' };
  yield { kind: 'conversation', id: 'harbour', type: 'private', name: 'Harbour', members: ['ines'] };
  const text = 'The crates are here. '.repeat(1950);
  for (let number = 0; number < count; number++) {
    const origin = { source: 'made-up', workspace: '', conversation: 'harbour', id: String(number) };
    const sortKey = String(number).padStart(9, '0');
    const sentAtMs = 1_709_251_200_000 + number * 1000;
    yield { kind: 'message', origin, sortKey, sentAtMs, author: 'ines', text: `${number} ${text}` };
  }
}

it('reads back a conversation in which a page of 1,000 messages exceeds the largest accepted answer', async () => {
  const folder = home.make();
  writeFileSync(
    join(folder, 'export.ndjson'),
    [...largeMessages()].map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  const { url } = await serveSandbox(folder);
  const first = await runJson(['import', 'export.ndjson', '--to', url, '--yes'], { folder, env });
  expect(first).toMatchObject({ code: 0, json: { imported: count, verify: { same: count } } });
  expect(await runJson(['verify'], { folder, env })).toMatchObject({ code: 0, json: { verify: { same: count } } });
  // The next run opens the lane again, and reads the messages after the last one.
  expect(await run(['import', 'export.ndjson'], { folder, env })).toMatchObject({ code: 0 });
});
