import type { Database } from 'better-sqlite3';
import { collectOddReplies } from '../../checkpoint/staging/odd-replies.ts';
import { readMeta } from '../../checkpoint/base/meta.ts';
import { printPlace } from '../../checkpoint/base/message-facts.ts';
import { wholeExport } from '../../checkpoint/staging/problem-writer.ts';
import { wholeChecks } from './registry.ts';

/** Findings of one check that are kept one by one; the others are one row that counts them. */
const listedMax = 1000;

/** Asks everything that is staged (needs `temp.writer` and the indexes of `message`), in place of what was found before. */
export function askWhole(db: Database): void {
  collectOddReplies(db);
  db.prepare('DELETE FROM problem WHERE file = ?').run(wholeExport);
  const insert = db.prepare('INSERT INTO problem (file, code, reason, place, count) VALUES (?, ?, ?, ?, ?)');
  const isFiltered = (readMeta(db, 'only') ?? '') !== '';
  for (const { code, find, isAboutAbsence = false } of wholeChecks) {
    if (isFiltered && isAboutAbsence) continue;
    const rows = db.prepare<[], readonly [path: string, place: string, detail: string]>(find).raw();
    let count = 0;
    const listed: string[][] = [];
    for (const [path, place, detail] of rows.iterate()) {
      if (count++ < listedMax) listed.push([detail, printPlace(path, place)]);
    }
    for (const [detail, place] of listed) insert.run(wholeExport, code, detail, place, 1);
    const others = count - listed.length;
    if (others > 0) insert.run(wholeExport, code, `${others} more`, '', others);
  }
}
