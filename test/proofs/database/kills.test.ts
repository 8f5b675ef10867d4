import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { programs as postgresPrograms } from '../../fleet/postgres.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { everyNth } from '../../tier.ts';
import {
  type AtWrite,
  type ChatDatabase,
  chatIn,
  type ChatReader,
  chatReader,
  childCount,
  counts,
  rowCount,
  type System,
} from './killed-chat.ts';
import { programs as mariadbPrograms } from './mariadb.ts';

const home = temporaryFolder();
const isMissing: Readonly<Record<System, boolean>> = {
  SQLite: false,
  PostgreSQL: postgresPrograms === null,
  MariaDB: mariadbPrograms === null,
};

const instants = (to: AtWrite['to'], count: number, parts: readonly number[]): readonly AtWrite[] =>
  parts.map((part) => ({ to, number: Math.ceil(part * count) }));

/** Tests take some of these; the nightly takes all ten. Ten of the copy of a server. */
const whileCopying = instants('copy', rowCount, [0.001, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1]);
/** Ten of a command: rows of files and reactions are put aside, messages are planned, and sent where an earlier life stopped. */
const everywhere = [
  ...instants('copy', childCount, [0.01, 0.4, 1]),
  ...instants('store', counts.messages, [0.01, 0.5, 0.9]),
  ...instants('store', counts.messages, [1.5, 0.2, 0.3, 0.3]),
];
/** Ten of a job: the copy, which has a name, and the store. Each life goes a little farther. */
const whileFollowing = [
  ...instants('store', rowCount, [0.01, 0.3, 0.6, 1]),
  ...instants('store', counts.messages, [1.5, 0.2, 0.3, 0.2, 0.1, 0.1]),
];
/** Rows of several tables are still at the server. */
const early: AtWrite = { to: 'copy', number: 60 };

async function scene(
  system: System,
  options: { readonly copy?: boolean; readonly isJob?: boolean; readonly isFollowed?: boolean },
  moreSql = '',
) {
  const folder = home.make();
  const chat = await chatIn[system](folder, moreSql);
  return { chat, reader: chatReader(chat, { folder, ...options }) };
}

async function killAt(reader: ChatReader, chosen: readonly AtWrite[]): Promise<void> {
  for (const instant of chosen) await reader.kill(instant);
}

/** The server ends the session while rows are still to come. */
async function loseServer(reader: ChatReader, chat: ChatDatabase): Promise<void> {
  const { process, goOn } = await reader.hold(early);
  await chat.endSessions();
  goOn();
  const { code, stderr } = await process.ended;
  expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining('Lost the connection to ') });
  expect(stderr).toContain('Run the same command again');
}

describe('a database whose reader is killed repeatedly arrives once and in order', () => {
  it('from a SQLite file', async () => {
    const { reader } = await scene('SQLite', {});
    await killAt(reader, everyNth(3, everywhere));
    await reader.finish();
  });

  it.skipIf(isMissing.PostgreSQL)('by a job of sync', async () => {
    const { reader } = await scene('PostgreSQL', { isJob: true });
    await killAt(reader, everyNth(3, everywhere));
    await reader.finish();
  });

  it.skipIf(isMissing.PostgreSQL)('by a job of sync that keeps a copy of it', async () => {
    const asTimes = 'ALTER TABLE messages ALTER COLUMN sent_at TYPE timestamptz USING sent_at::timestamptz';
    const { reader } = await scene('PostgreSQL', { isFollowed: true }, asTimes);
    await killAt(reader, everyNth(3, whileFollowing));
    await reader.finish();
  });

  it.for([
    ['PostgreSQL', 'while it is copied', true, everyNth(3, whileCopying)],
    ['MariaDB', 'while it is copied', true, everyNth(5, whileCopying)],
    ['PostgreSQL', 'without a copy', false, everyNth(6, everywhere)],
    ['MariaDB', 'without a copy', false, everyNth(6, everywhere)],
  ] as const)('from a %s %s, also if the server ends its session', async ([system, , copy, chosen], { skip }) => {
    skip(isMissing[system], 'there is no such server');
    const { chat, reader } = await scene(system, { copy });
    await loseServer(reader, chat);
    await killAt(reader, chosen);
    await reader.finish();
  });
});

describe.skipIf(isMissing.PostgreSQL || process.platform !== 'linux')('a copy that is larger than its cache', () => {
  it('is in a file without a name, for this user alone, and is gone with the process', async () => {
    const wide = `INSERT INTO messages SELECT n, 1, 1, repeat('Message', 4000), '2026-02-01' FROM generate_series(10001, 11000) n`;
    const { reader } = await scene('PostgreSQL', {}, wide);
    const { process } = await reader.hold({ to: 'copy', number: rowCount + 1000 });
    const folder = `/proc/${process.child.pid}/fd`;
    const names = readdirSync(folder).map((name) => ({
      path: `${folder}/${name}`,
      target: readlinkSync(`${folder}/${name}`),
    }));
    const copies = names.filter(({ target }) => target.includes('/tmp/') && target.endsWith(' (deleted)'));
    expect(copies.map(({ path }) => statSync(path).mode & 0o077)).toEqual([0]);
    expect(statSync(copies[0]!.path).size).toBeGreaterThan(5_000_000);
    expect(reader.temporaryFiles()).toEqual([]);
    process.kill('SIGKILL');
    await process.ended;
    expect(reader.temporaryFiles()).toEqual([]);
  });
});
