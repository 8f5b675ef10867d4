import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { largeExportLines } from '../../bench/large-export.ts';
import { importExport } from '../../src/commands/move.ts';
import { verifyDestination } from '../../src/commands/check.ts';

import { sessionRequest } from '../scenes/session-request.ts';
import { tamper } from '../scenes/tamper.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const messages = 100_000;

/** Nine in ten of them in one conversation, and many of the same second. */
it(`verify finds one missing, one duplicated, one altered, one foreign and one moved among ${messages} messages, and nothing else`, async () => {
  const folder = home.make();
  const path = join(folder, 'export.ndjson');
  await pipeline(Readable.from(largeExportLines({ messages, conversations: 200 })), createWriteStream(path));
  const request = await sessionRequest(folder, { from: [path], concurrency: 8 });
  expect(await importExport(request)).toMatchObject({ exit: 0, report: { verify: { same: messages, missing: 0 } } });

  const { gone, twice, altered, swapped } = tamper(join(folder, 'chatferry.sandbox.db'));
  const { report, exit } = await verifyDestination(request);
  expect(exit).toBe(6);
  expect(report.verify).toEqual({ same: messages - 3, missing: 1, extra: 0, different: 2, duplicated: 1, foreign: 1 });
  const found = report.differences.map(({ kind, muid, detail }) => `${muid} ${kind}: ${detail.replace(/\d+$/, 'N')}`);
  const moved = swapped.find((muid) => found.some((line) => line.startsWith(muid)));
  expect(found.sort()).toEqual(
    [
      `${gone} missing: sent, and not there any more`,
      `${twice} duplicated: again as server id N`,
      `${altered} different: differs in text`,
      `${moved} different: differs in order`,
    ].sort(),
  );

  const repair = { sendProfiles: 'first', maxFailureShare: 1 } as const;
  const repaired = await verifyDestination({ ...request, repair });
  expect(repaired.report.verify).toMatchObject({ same: messages - 2, missing: 0, repaired: 1, different: 2 });
});
