import { existsSync } from 'node:fs';
import { checkStore, type StoreCheck } from '../../checkpoint/base/check-store.ts';
import { describeHolder } from '../../checkpoint/base/lock.ts';
import type { RunRow } from '../../checkpoint/base/runs.ts';
import { storeErrorOf } from '../../lib/sqlite.ts';
import { formatBytes, formatUtc } from '../../report/render/format.ts';
import { exitCodes } from '../../report/exit-codes.ts';
import { badError } from './connection.ts';
import { bad, type Finding, good, warn } from './finding.ts';

/** The checkpoint store: does it open, is it whole, who has it, what happened last. Changes nothing. */
export function* examineStore(path: string): Generator<Finding> {
  if (!existsSync(path)) {
    yield good('store', `No store at "${path}" yet: the first plan makes it`);
    return;
  }
  let check: StoreCheck;
  try {
    check = checkStore(path);
  } catch (error) {
    yield badError('store', storeErrorOf(error, path) ?? error);
    return;
  }
  yield judgeStore(path, check);
  if (check.lastRun && !check.holder) yield judgeRun(check.lastRun);
}

function judgeStore(path: string, { sizeBytes, version, isOutdated, faults, holder }: StoreCheck): Finding {
  const says = `"${path}", ${formatBytes(sizeBytes)}, version ${version}`;
  if (faults && faults.length > 0) {
    const todo = 'Restore a copy, or move it away and plan again: what is at the destination is then recognised';
    return bad('store', `${says}: damaged: ${faults.join('; ')}`, todo, exitCodes.store);
  }
  if (holder)
    return warn('store', `${says}, ${describeHolder(holder)}`, 'Wait until it ends: one process writes at a time');
  if (isOutdated) {
    return warn('store', `${says}, of an older Chatferry`, 'Nothing now: the next plan or import brings it up to date');
  }
  if (!faults) {
    return warn(
      'store',
      `${says}, opens; too large to be checked here`,
      `sqlite3 "${path}" "PRAGMA quick_check" checks it, which takes some minutes`,
    );
  }
  return good('store', `${says}, opens and is whole`);
}

/** How the run ended that began last. */
function judgeRun({ id, command, startedAtMs, endedAtMs, exit, stopped }: RunRow): Finding {
  const run = `r${id}, ${command} of ${formatUtc(startedAtMs)}`;
  const continues = 'Run the same command again: it continues';
  if (endedAtMs === null) return warn('last run', `${run}, did not end by itself`, continues);
  if (exit === exitCodes.stopped) {
    const { code, message } = (stopped === null ? {} : JSON.parse(stopped)) as { code?: string; message?: string };
    return warn(
      'last run',
      `${run}, stopped${message ? `: ${message}` : ''}`,
      code ? `${continues}, once ${code} is gone` : continues,
    );
  }
  if (exit === exitCodes.differences) {
    return warn('last run', `${run}, found differences`, 'chatferry report shows them');
  }
  return good('last run', `${run}, ended with exit code ${exit}`);
}
