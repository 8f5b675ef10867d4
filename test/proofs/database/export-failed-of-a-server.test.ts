import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { planExport } from '../../../src/commands/prepare.ts';
import { exportFailed } from '../../../src/commands/repair.ts';
import { silent } from '../../../src/lib/flow/progress.ts';
import { programs } from '../../fleet/postgres.ts';
import { never } from '../../scenes/bench.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { refusal, testDatabase } from './postgres-databases.ts';

const home = temporaryFolder();

it.skipIf(programs === null)(
  'invalid rows of a server are read with the user that the configuration names',
  async () => {
    const folder = home.make();
    const { shown } = await testDatabase(`
    CREATE TABLE m (id int PRIMARY KEY, room text, who text, at timestamptz, body text);
    INSERT INTO m VALUES (1, 'quay', 'ann', '2026-03-01 10:00Z', 'Hello'), (2, 'quay', 'ann', '2026-03-01 10:01Z', ' ');
    GRANT SELECT ON m TO reader;`);
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, 'pass\n', { mode: 0o600 });
    const mapping = `version: 1
source:
  passwordFile: ${passwordFile}
  tables: { messages: { table: m } }
  messages: { id: id, conversation: room, author: who, time: at, text: body }`;
    const address = shown.replace('://', '://reader@');
    const { store } = await sessionRequest(folder);
    await planExport(await sessionRequest(folder, { from: [address], source: 'database', mapping }));

    const to = { path: join(folder, 'failed.ndjson'), mayReplace: true };
    const request = { store, exports: [], to, progress: silent, signal: never };
    const { hint } = await refusal(exportFailed(request));
    expect(hint).toContain(shown.replace('://', '://USER@'));

    await exportFailed({ ...request, configured: [address] });
    expect(readFileSync(to.path, 'utf8')).toContain('#/m/2"');
  },
);
