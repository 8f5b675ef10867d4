import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/model/exit-codes.ts';
import { fastClock } from '../scenes/fast-clock.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { type Ended, run, start, testKey } from './in-process.ts';
import { run as runProcess } from './process.ts';
import { damagedRows, smallExport } from './samples.ts';
import { gatedServer } from './slow-server.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

/** A module that is loaded before the program, and breaks what every run needs. */
const brokenMachine = `import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
os.hostname = () => { throw new TypeError('This machine has no name'); };
syncBuiltinESMExports();`;

/** Sends to a server that does not answer, and asks it to stop. */
async function interrupt(folder: string, signal: NodeJS.Signals): Promise<Ended> {
  const server = await gatedServer(join(folder, 'server.db'), testKey);
  const { kill, ended } = start(['import', smallExport(folder), '--to', server.url, '--yes'], {
    ...{ folder, env, clock: fastClock() },
  });
  await server.held();
  kill(signal);
  return ended;
}

/** How each exit code comes about, from the command line. */
const ways: Record<keyof typeof exitCodes, (folder: string) => Promise<Ended>> = {
  done: (folder) => run(['import', smallExport(folder)], { folder }),
  fault(folder) {
    const path = join(folder, 'broken-machine.mjs');
    writeFileSync(path, brokenMachine);
    return runProcess(['import', smallExport(folder)], { folder, env: { NODE_OPTIONS: `--import ${path}` } });
  },
  usage: (folder) => run(['import', smallExport(folder), '--rate', 'quickly'], { folder }),
  someFailed: (folder) => run(['import', damagedRows], { folder }),
  source(folder) {
    mkdirSync(join(folder, 'nothing'));
    return run(['import', 'nothing'], { folder });
  },
  stopped: (folder) =>
    run(['import', smallExport(folder), '--to', 'http://127.0.0.1:1', '--yes'], { folder, env, clock: fastClock() }),
  async needsPerson(folder) {
    const server = await gatedServer(join(folder, 'server.db'), 'another-key');
    return run(['import', smallExport(folder), '--to', server.url, '--yes'], { folder, env });
  },
  async differences(folder) {
    await run(['import', smallExport(folder)], { folder });
    const db = new Database(join(folder, 'chatferry.sandbox.db'));
    db.exec(`UPDATE message SET data = replace(data, 'Message 2', 'Massage 2')`);
    db.close();
    return run(['verify'], { folder });
  },
  store(folder) {
    writeFileSync(join(folder, 'chatferry.db'), 'a list of things to buy\n'.repeat(100));
    return run(['import', smallExport(folder)], { folder });
  },
  interrupted: (folder) => interrupt(folder, 'SIGINT'),
  terminated: (folder) => interrupt(folder, 'SIGTERM'),
};

describe('an exit code', () => {
  it.each(Object.entries(ways))('says "%s"', async (name, way) => {
    const { code, stderr } = await way(home.make());
    const expected = exitCodes[name as keyof typeof exitCodes];
    expect({ code, stderr }).toMatchObject({ code: expected });
    // A stack is for faults of ours alone.
    expect(/^\s+at /m.test(stderr), stderr).toBe(expected === exitCodes.fault);
  });
});
