import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { importExport } from '../../../src/commands/import.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { type ActionsNow, actionKinds } from '../../../src/model/action.ts';
import { exitCodes } from '../../../src/report/exit-codes.ts';
import { effectsIn, sceneEffects, sceneRecords } from '../../scenes/actions-scene.ts';
import { apiKey } from '../../scenes/bench.ts';
import { partsOf } from '../../scenes/parts-scene.ts';
import { servedFaulty } from '../../scenes/served-sandbox.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { writeRecords } from '../../scenes/write-records.ts';

const home = temporaryFolder();

it('all parts do what belongs to messages, and then what is about people: as one store does', async () => {
  const folder = home.make();
  const { url, data } = await servedFaulty(folder);
  const exports = [writeRecords(join(folder, 'export.ndjson'), sceneRecords)];
  const carry = async (index: number, actionsNow: ActionsNow, from = exports) =>
    await importExport(
      await sessionRequest(folder, {
        to: url,
        apiKey: new Secret(apiKey),
        profile: 'spec',
        store: join(folder, `part-${index}.db`),
        from,
        part: { index, of: 2, placed: { room: 0, pair: 1 } },
        actions: actionKinds,
        actionsNow,
      }),
    );
  const effects = () => {
    const db = new Database(data, { readonly: true });
    const found = effectsIn(db);
    db.close();
    return found;
  };

  for (const { index } of partsOf(2)) {
    const { exit, report } = await carry(index, 'of-messages');
    expect(exit).toBe(exitCodes.done);
    expect(report.books.imported).toBe(index === 0 ? 4 : 1);
    if (index === 1) expect(report.actions?.kinds).toMatchObject({ reactions: { planned: 1, done: 1 } });
    expect(report.actions?.kinds.friends?.planned).toBe(index === 0 ? 2 : undefined);
  }
  expect(effects()).toEqual(sceneEffects.filter((effect) => effect.includes('reacts')));

  // What is planned need not be named again.
  for (const { index } of partsOf(2)) expect((await carry(index, 'of-people', [])).exit).toBe(exitCodes.done);
  expect(effects()).toEqual(sceneEffects);
});
