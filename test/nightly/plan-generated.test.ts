import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedFolder } from '../requirements.ts';
import { importHere } from '../scenes/import-here.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const bench = sharedFolder('bench');
const home = temporaryFolder();

interface Manifest {
  readonly messages: number;
  readonly replies: number;
  readonly orphanReplies: number;
  readonly bot: number;
  readonly system: number;
  readonly huddle: number;
  readonly files: number;
  readonly tombstones: number;
  readonly reactions: number;
  readonly edited: number;
  readonly broadcasts: number;
  readonly dayFiles: number;
}

describe.skipIf(bench === null)('an import of 5,000 generated messages', () => {
  it('counts what the generator reports as written', async () => {
    const folder = home.make();
    execFileSync(process.execPath, [join(bench!, 'gen-slack-export.mjs'), '5000', join(folder, 'export')], {
      stdio: 'ignore',
    });
    const manifest = JSON.parse(readFileSync(join(folder, 'export.manifest.json'), 'utf8')) as Manifest;
    const { report, exit } = await importHere(folder, join(folder, 'export'));
    const contents = Object.fromEntries(report.contents.map(({ name, read }) => [name, read]));

    expect(report.totals).toMatchObject({
      read: manifest.messages,
      duplicates: 0,
      invalid: 0,
      failed: 0,
      pending: 0,
      unconfirmed: 0,
      planned: manifest.messages - manifest.system - manifest.huddle,
      skipped: manifest.system + manifest.huddle,
    });
    expect(report.totals.imported).toBe(report.totals.planned);
    expect(report.files.rows).toBe(manifest.dayFiles);
    expect(contents).toMatchObject({
      'thread replies': manifest.replies,
      'replies without their root': manifest.orphanReplies,
      'replies shown in the conversation': manifest.broadcasts,
      'edited messages': manifest.edited,
      reactions: manifest.reactions,
      files: manifest.files,
      'files without an address': manifest.tombstones,
      'bot messages': manifest.bot,
      'system messages': manifest.system,
      calls: manifest.huddle,
    });
    expect(report.requests.import).toBe(Math.ceil(report.totals.planned / 50));
    expect(report.verify).toEqual({
      same: report.totals.planned,
      missing: 0,
      extra: 0,
      different: 0,
      duplicated: 0,
      foreign: 0,
    });
    expect(exit).toBe(0);
  });
});
