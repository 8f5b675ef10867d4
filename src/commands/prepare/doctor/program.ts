import { readTrust } from '../../../config/trusted-files.ts';
import type { ExportInput } from '../../../io/input/export-input.ts';
import { openExport } from '../../../io/input/open-export.ts';
import { isServerAddress, plainAddress } from '../../../io/input/server-input.ts';
import { openDatabase, sqliteVersion } from '../../../lib/sqlite.ts';
import { version } from '../../../lib/version.ts';
import { chooseSource, parseSourceOptions } from '../../../plan/choose-source.ts';
import { countOf } from '../../../lib/text/count.ts';
import { loadMapping } from '../../../mapping/load.ts';
import { exitCodes } from '../../../model/exit-codes.ts';
import { detectSource } from '../../../sources/detect.ts';
import type { SourceAdapter } from '../../../sources/source.ts';
import { inspectServer } from '../../../sources/database-server.ts';
import { formatDuration } from '../../../lib/text/quantity.ts';
import type { FirstContact } from '../../../service/delivery-client.ts';
import { type Asked, errorFinding } from './connection.ts';
import { error, ok, warning } from '../finding.ts';
import type { Complete, DoctorRequest } from '../../requests.ts';
import type { DoctorFinding } from '../../results.ts';

/** The oldest Node that package.json allows: it runs types stripped, and has what the tests rely on. */
const nodeMin = [22, 19] as const;

export function* examineProgram(nodeVersion: string = process.versions.node): Generator<DoctorFinding> {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const says = `Chatferry ${version} on Node ${nodeVersion}`;
  if (major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1])) yield ok('node', says);
  else yield error('node', says, `Install Node ${nodeMin.join('.')} or newer`, exitCodes.usage);
  yield examineSqlite();
}

/** Older versions can damage a store; every opening checks the version, so a database in memory is enough to find out. */
function examineSqlite(): DoctorFinding {
  try {
    const db = openDatabase(':memory:');
    const sqlite = sqliteVersion(db);
    db.close();
    return ok('sqlite', `SQLite ${sqlite}`);
  } catch (error) {
    return errorFinding('sqlite', error);
  }
}

/** The header `Date` is cut to seconds, and half a round trip is a guess. */
const toleratedMs = 5_000;

/** Our clock against the server's. Chatferry itself compares a server's dates with the server's own clock. */
export function judgeClock({
  serverMs,
  askedAtMs,
  tookMs,
}: Pick<FirstContact, 'serverMs' | 'askedAtMs' | 'tookMs'>): DoctorFinding {
  if (serverMs === undefined) {
    return warning(
      'clock',
      'The service does not send its time (no Date header)',
      'See that this machine keeps time by NTP',
    );
  }
  // Cut to seconds: half a second later on average.
  const aheadMs = askedAtMs - (serverMs + 500);
  if (Math.abs(aheadMs) <= toleratedMs + tookMs / 2)
    return ok('clock', 'Agrees with the clock of the service to some seconds');
  const says = `This machine is ${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} the service`;
  return warning(
    'clock',
    says,
    'Set the clock with NTP: new messages may be refused as being in the future, or count as too old',
  );
}

/** No key was given. @param isOpen The service lists messages to anybody. */
export const judgeNoKey = (isOpen: boolean): DoctorFinding =>
  isOpen
    ? warning(
        'key',
        'The service lists messages without a key',
        'Close it before real messages go there; Chatferry wants a key',
      )
    : error(
        'key',
        'No API key',
        'Set CHATFERRY_API_KEY, or pass --api-key-file with a file that only you may read',
        exitCodes.usage,
      );

/**
 * Reports what a listing with the key shows of it. Listing needs full access, as importing does; a key of the other
 * scope, authOnly, may only sign users in.
 */
export function judgeKey({ outcome }: Asked): DoctorFinding {
  if (outcome.kind === 'answered') return ok('key', 'The key is valid and has full access: it may list messages');
  const { code, detail, hint, why, needsPerson } = outcome;
  if (code === 'AUTH_ERR_NO_ACCESS') {
    return error(
      'key',
      'The key is valid, but its scope is authOnly: it may sign users in, and neither list nor import messages',
      'Take a key of scope fullAccess from the dashboard of the app',
      exitCodes.needsPerson,
    );
  }
  if (code === 'AUTH_ERR_APIKEY_NOT_FOUND') {
    return error(
      'key',
      'The service does not know this key',
      'Is it of this app and region? Take a key of scope fullAccess from the dashboard',
      exitCodes.needsPerson,
    );
  }
  const says = `Cannot check whether the key is valid: ${code}: ${detail}`;
  if (why === 'rate-limited')
    return warning('key', says, 'Another program may be using up the rate; run it again later');
  return error(
    'key',
    says,
    hint ?? 'Run it again when the service answers',
    needsPerson ? exitCodes.needsPerson : exitCodes.stopped,
  );
}

/** A source that the user named, where another one recognises the export. */
async function* judgeNamed(input: ExportInput, { name }: SourceAdapter): AsyncGenerator<DoctorFinding> {
  const fit = (await detectSource(input)).map(({ adapter }) => adapter.name);
  if (fit.length === 0 || fit.includes(name)) return;
  const todo = `Pass --source ${fit[0]}, unless you are certain; chatferry inspect shows what is read`;
  yield warning('export', `"${input.label}" looks like an export of ${fit[0]}, and is read as ${name}`, todo);
}

/** Whether an export opens and is recognised; whether a database server lets the role read. Reads as little as that takes: `inspect` reads everything. */
export async function* examineExport(
  request: Pick<Complete<DoctorRequest>, 'exports' | 'source' | 'mapping' | 'signal'>,
): AsyncGenerator<DoctorFinding> {
  const { exports, source, mapping, signal } = request;
  try {
    const server = exports.find(isServerAddress);
    const rules = await loadMapping(mapping, { exports, trust: readTrust });
    if (server !== undefined) {
      const { system, tableCount, problems } = await inspectServer(server, rules.rules.source, signal);
      const tables = countOf(tableCount, 'table');
      yield ok('export', `${plainAddress(server)} answers: ${system}, ${tables} to read`);
      for (const problem of problems) yield warning('export', problem, 'Follow this advice, or ignore it');
      return;
    }
    const inputs = await openExport(exports);
    try {
      const adapter = await chooseSource(inputs, source);
      if (mapping !== undefined) parseSourceOptions(adapter, rules);
      const names = inputs.map(({ label }) => `"${label}"`).join(', ');
      yield ok('export', `${names} ${inputs.length === 1 ? 'is' : 'are'} readable: ${adapter.title}`);
      for (const input of inputs) yield* judgeNamed(input, adapter);
    } finally {
      for (const input of inputs) await input.close();
    }
  } catch (error) {
    yield errorFinding('export', error);
  }
}
