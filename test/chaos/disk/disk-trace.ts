import { readFileSync } from 'node:fs';

/** An event in the order of occurrence: a change to a file of the store, or bytes sent to the server. */
export type DiskEvent =
  | { readonly type: 'create'; readonly path: string }
  | { readonly type: 'write'; readonly path: string; readonly bytes: Buffer; readonly offset: number }
  | { readonly type: 'truncate'; readonly path: string; readonly size: number }
  /** For a file: its written content is on disk. For a folder: the names in it are. */
  | { readonly type: 'sync'; readonly path: string }
  | { readonly type: 'unlink'; readonly path: string }
  /** Muids in bytes that went to a socket. */
  | { readonly type: 'sent'; readonly muids: readonly string[] };

/**
 * Options for strace, whose output `readTrace` takes: whole buffers in hexadecimal, and the path of every descriptor.
 *
 *     4711  pwrite64(22<\x2f\x74…>, "\x37\x7f…", 24, 0) = 24
 *     4711  fsync(22<\x2f\x74…>) = 0
 */
export const tracing = (path: string): string[] => [
  ...['--seccomp-bpf', '-y', '-xx', '-s', '16777216', '-o', path],
  ...['-e', 'trace=openat,pwrite64,ftruncate,fsync,fdatasync,unlink,unlinkat,rename,write,writev,sendto,sendmsg'],
];

/** A call that another thread interrupted takes two lines, and counts with the second one. */
const unfinished = /^(\d+) +(.*) <unfinished \.\.\.>$/;
const resumed = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/;

/** @param isStored Whether a path belongs to the store. Everything else on the disk is left out. */
export function readTrace(path: string, isStored: (path: string) => boolean): DiskEvent[] {
  const waiting = new Map<string, string>();
  const events: DiskEvent[] = [];
  for (const line of readFileSync(path, 'latin1').split('\n')) {
    const begun = unfinished.exec(line);
    if (begun) {
      waiting.set(begun[1]!, begun[2]!);
      continue;
    }
    const ended = resumed.exec(line);
    const call = ended ? `${waiting.get(ended[1]!) ?? ''}${ended[2]}` : line.replace(/^\d+ +/, '');
    const event = / = -1 /.test(call.slice(-80)) ? undefined : eventOf(call, isStored);
    if (event) events.push(event);
  }
  return events;
}

function eventOf(call: string, isStored: (path: string) => boolean): DiskEvent | undefined {
  const name = call.slice(0, call.indexOf('('));
  const path = fromHex(/^\w+\(\d+<([^>]*)>/.exec(call)?.[1]).toString();
  if (name === 'openat') {
    const opened = fromHex(/ = \d+<([^>]*)>$/.exec(call)?.[1]).toString();
    return call.includes('O_CREAT') && isStored(opened) ? { type: 'create', path: opened } : undefined;
  }
  if (name === 'fsync' || name === 'fdatasync') return { type: 'sync', path };
  if (name === 'unlink' || name === 'unlinkat') {
    const gone = bytesOf(call).toString();
    return isStored(gone) ? { type: 'unlink', path: gone } : undefined;
  }
  if (path.startsWith('socket:')) {
    const muids = [
      ...new Set(
        bytesOf(call)
          .toString('latin1')
          .match(/"m1[a-z2-7]{25}"/g) ?? [],
      ),
    ];
    return muids.length > 0 ? { type: 'sent', muids: muids.map((muid) => muid.slice(1, -1)) } : undefined;
  }
  if (!isStored(path)) return undefined;
  if (name === 'rename')
    throw new Error(`The store is renamed, which this reader does not know: ${call.slice(0, 200)}`);
  const last = Number(/, (\d+)\) += \d+$/.exec(call)?.[1]);
  if (name === 'ftruncate') return { type: 'truncate', path, size: last };
  if (name === 'pwrite64') return { type: 'write', path, bytes: bytesOf(call), offset: last };
  throw new Error(`The store is written by ${name}, which this reader does not know`);
}

/** All strings of a call, one after the other: what `writev` writes is a list. */
function bytesOf(call: string): Buffer {
  const strings = call.match(/"(?:\\x[0-9a-f]{2})*"/g) ?? [];
  return Buffer.concat(strings.map((text) => fromHex(text.slice(1, -1))));
}

const fromHex = (text = ''): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex');
