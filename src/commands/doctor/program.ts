import { openDatabase } from '../../lib/sqlite.ts';
import { version } from '../../lib/version.ts';
import { exitCodes } from '../../report/exit-codes.ts';
import { badError } from './bad-error.ts';
import { bad, type Finding, good } from './finding.ts';

/** The oldest Node that package.json allows: it runs types stripped, and has what the tests rely on. */
const nodeMin = [22, 19] as const;

/** Versions that Chatferry itself stands on. */
export function* examineProgram(nodeVersion: string = process.versions.node): Generator<Finding> {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const says = `Chatferry ${version} on Node ${nodeVersion}`;
  if (major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1])) yield good('node', says);
  else yield bad('node', says, `Install Node ${nodeMin.join('.')} or newer`, exitCodes.usage);
  yield examineSqlite();
}

/** Older versions can damage a store; every opening looks, so that one in memory tells. */
function examineSqlite(): Finding {
  try {
    const db = openDatabase(':memory:');
    const sqlite = db.prepare('SELECT sqlite_version()').pluck().get() as string;
    db.close();
    return good('sqlite', `SQLite ${sqlite}`);
  } catch (error) {
    return badError('sqlite', error);
  }
}
