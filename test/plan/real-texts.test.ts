import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { Secret } from '../../src/lib/secret.ts';
import { importExport } from '../../src/commands/move.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import { createInProcessTransport } from '../../src/sandbox/in-process.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { DeliveryClient } from '../../src/service/delivery-client.ts';
import { sharedFolder } from '../requirements.ts';
import { apiKey, never } from '../scenes/bench.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const exports = sharedFolder('exports/slack');
const home = temporaryFolder();

/** Markup in the files for a mention, and for the three characters that Slack escapes. */
const markup = /<[@#!][A-Z]|&(?:amp|lt|gt);/;

it.skipIf(exports === null)(
  'the texts of a real workspace are listed as Markdown, without the markup of the source',
  async () => {
    const folder = home.make();
    const workspace = join(exports!, 'workspace-2016');
    await importExport(await sessionRequest(folder, { from: [workspace] }));
    const data = join(folder, 'chatferry.sandbox.db');
    const sandbox = createSandbox({ store: openSandboxStore(data), apiKey, profile: 'sandbox', clock: systemClock });
    onTestFinished(() => sandbox.close());
    const client = new DeliveryClient({ transport: createInProcessTransport(sandbox), apiKey: new Secret(apiKey) });

    const texts: string[] = [];
    for (const conversationId of sandboxContents(data).keys()) {
      const page = await client.listMessages({ conversationId, affix: 'append', limit: 100 }, never);
      if (page.kind !== 'answered') throw new Error(`Cannot list ${conversationId}: ${page.kind}`);
      texts.push(...page.value.messages.map((listed) => String(listed.data.text ?? '')));
    }
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.filter((text) => markup.test(text))).toEqual([]);
    expect(texts.filter((text) => /@[\w-]/.test(text)).length).toBeGreaterThan(10);
    expect(markedUpRows(workspace)).toBeGreaterThan(100);
  },
);

/** So that the absence of markup says something. */
function markedUpRows(workspace: string): number {
  return readdirSync(workspace, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\d{4}-\d\d-\d\d\.json$/.test(path))
    .flatMap((path) => JSON.parse(readFileSync(join(workspace, path), 'utf8')) as { text?: string }[])
    .filter(({ text }) => markup.test(text ?? '')).length;
}
