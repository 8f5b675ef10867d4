import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { run } from '../cli/in-process.ts';
import { firstOf } from '../tier.ts';
import { writeFiles } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { bridged, type Line, spelled, stars } from './bridged-exports.ts';

const home = temporaryFolder();
/** 2026-10-25, 10:00 UTC. */
const firstMs = 1_792_922_400_000;

/** Each a minute after the one before, since some platforms know no seconds. */
const conversation: readonly Line[] = (
  [
    ['Inès', ['Low tide is at six']],
    ['Tomasz', ['Ça va, Renée? 東京 – Здравствуй 🌊']],
    ['Inès', ['The ', { bold: 'north' }, ' pier is closed']],
    ['Tomasz', ['First the rope,\nthen the anchor']],
    ['Inès', ['See ', { link: 'https://example.com/tides?day=5&pier=2' }, ' for more']],
    ['Tomasz', ['3 < 4 & 5 > 2, said nobody']],
  ] as const
).map(([author, pieces], index) => ({ author, atMs: firstMs + index * 60_000, pieces }));

it.each(firstOf(4, Object.entries(bridged)))(
  'the same conversation comes out of %s with the same people, minutes and texts as out of the others',
  async (name, { hasStyles, files }) => {
    const folder = home.make();
    writeFiles(join(folder, 'export'), files(conversation));
    const { code, stderr } = await run(['import', 'export', '--quiet'], { folder });
    expect({ name, code, stderr }).toMatchObject({ code: 0 });
    const db = new Database(join(folder, 'chatferry.sandbox.db'), { readonly: true });
    const there = db
      .prepare(
        `SELECT u.entity ->> '$.name' AS author, m.sent_at AS at, m.data ->> '$.text' AS text
         FROM message m JOIN user u ON u.id = m.sender ORDER BY m.id`,
      )
      .all();
    db.close();
    expect(there).toEqual(
      conversation.map(({ author, atMs, pieces }) => ({
        author,
        at: atMs / 1000,
        text: spelled(pieces, hasStyles ? { bold: stars } : {}),
      })),
    );
  },
);
