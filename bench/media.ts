/**
 * Compares the cost of copying files with the client of the location alone: `npm run bench -- --media`, or `--media
 * --small` for a hundredth. Copies from a folder export to a folder, to a bucket that keeps no bytes, and to s3rver;
 * each in a process of its own, one after the other.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, ftruncateSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Measured, measure } from './measure.ts';
import { formatTable } from './table.ts';
import { program } from './program.ts';

/** Files of one kind. */
interface Files {
  readonly name: string;
  readonly count: number;
  readonly bytes: number;
}

interface Place {
  readonly name: string;
  readonly to: string;
  readonly endpoint?: string;
  readonly stop: () => void;
}

const keys = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** @param share Of the files; large ones are never less than one, and smaller then. */
export async function mediaTable(share = 1): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  const small = { name: '20 KB', count: Math.ceil(100_000 * share), bytes: 20_000 };
  const largeBytes = share >= 0.1 ? 2 * 1024 ** 3 : 100 * 1024 ** 2;
  const large = { name: share >= 0.1 ? '2 GB' : '100 MB', count: Math.ceil(10 * share), bytes: largeBytes };
  try {
    const rows: string[][] = [];
    for (const files of [small, large]) {
      const export_ = join(folder, 'export');
      makeExport(export_, files);
      for (const open of files === small ? [ownFolder, swallowing, s3rver] : [ownFolder, swallowing])
        rows.push(await rowOf(folder, export_, files, await open(folder)));
      rmSync(export_, { recursive: true });
    }
    const head = [
      '',
      'files',
      'alone, s',
      'copy, s',
      'alone, CPU s',
      'copy, CPU s',
      'of the client alone',
      'MB/s',
      'peak RSS, MiB',
      'load',
    ];
    return `${formatTable(head, rows)}\ncommand: chatferry media copy --store FILE --media-to LOCATION --json --quiet`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Signature of a PNG file. */
const pictureBegin = Buffer.from('89504e470d0a1a0a', 'hex');

/** Files that are all different, and a message for each. Large ones are holes but for their beginning. */
function makeExport(folder: string, { count, bytes }: Files): void {
  mkdirSync(join(folder, 'files'), { recursive: true });
  const author = 'u1';
  const lines: unknown[] = [
    { kind: 'chatferry', version: 1 },
    { kind: 'user', id: author, name: 'Ann' },
  ];
  lines.push({ kind: 'conversation', id: 'c1', type: 'public', name: 'one', members: [author] });
  for (let index = 0; index < count; index++) {
    const name = `${index}.png`;
    const fd = openSync(join(folder, 'files', name), 'w');
    writeSync(fd, Buffer.concat([pictureBegin, Buffer.alloc(Math.min(bytes, 20_000) - 8, `\0${index}`)]));
    ftruncateSync(fd, bytes);
    closeSync(fd);
    const origin = { source: 'made-up', workspace: '', conversation: 'c1', id: String(index) };
    const attachments = [{ url: `files/${name}`, name, mimeType: 'image/png', sizeBytes: bytes }];
    const sentAtMs = 1_750_000_000_000 + index * 1000;
    lines.push({
      kind: 'message',
      origin,
      sortKey: String(index).padStart(6, '0'),
      sentAtMs,
      author,
      text: name,
      attachments,
    });
  }
  writeFileSync(join(folder, 'export.ndjson'), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

async function rowOf(folder: string, path: string, files: Files, place: Place): Promise<string[]> {
  const store = join(folder, 'chatferry.db');
  const run = (...args: string[]) =>
    measure(args, { scratchFile: join(folder, 'usage'), env: { ...keys, CHATFERRY_STATE_DIR: join(folder, 'state') } });
  try {
    await run(program, 'plan', path, '--store', store, '--json', '--quiet');
    const at = (name: string) => (place.endpoint === undefined ? `${place.to}-${name}` : `${place.to}/${name}`);
    const own = place.endpoint === undefined ? [] : [place.endpoint];
    const alone = await run('bench/media-client.ts', join(path, 'files'), at('alone'), ...own);
    const there =
      place.endpoint === undefined
        ? ['--media-base-url', 'https://files.example.com']
        : ['--media-endpoint', place.endpoint];
    const copy = await run(
      program,
      'media',
      'copy',
      '--store',
      store,
      '--media-to',
      at('copy'),
      ...there,
      '--json',
      '--quiet',
    );
    return shown(place, files, alone, copy);
  } finally {
    place.stop();
    for (const name of [
      'media-alone',
      'media-copy',
      's3rver',
      'chatferry.db',
      'chatferry.db-wal',
      'chatferry.db-shm',
      'chatferry.db.lock',
    ])
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function shown(place: Place, { name, count, bytes }: Files, alone: Measured, copy: Measured): string[] {
  for (const { result } of [alone, copy])
    if ((result as { copied?: number }).copied !== count)
      throw new Error(`Not every file was copied: ${JSON.stringify(result)}`);
  const seconds = ({ wallMs }: Measured) => (wallMs / 1000).toFixed(1);
  const cpu = ({ cpuMs }: Measured) => (cpuMs / 1000).toFixed(1);
  return [
    `${name}, ${place.name}`,
    count.toLocaleString('en-US'),
    ...[seconds(alone), seconds(copy), cpu(alone), cpu(copy)],
    `${Math.round((alone.wallMs / copy.wallMs) * 100)} %`,
    Math.round((count * bytes) / 1000 / copy.wallMs).toString(),
    Math.round(copy.peakRssBytes / 1024 ** 2).toString(),
    loadavg()[0]!.toFixed(1),
  ];
}

async function ownFolder(folder: string): Promise<Place> {
  return { name: 'folder', to: join(folder, 'media'), stop() {} };
}

const bucket = fileURLToPath(new URL('media-bucket.ts', import.meta.url));

async function swallowing(): Promise<Place> {
  return await served('bucket', spawn(process.execPath, [bucket], { stdio: ['pipe', 'pipe', 'inherit'] }));
}

async function s3rver(folder: string): Promise<Place> {
  const program = join(dirname(createRequire(import.meta.url).resolve('s3rver/package.json')), 'bin/s3rver.js');
  const where = ['-d', join(folder, 's3rver'), '-a', '127.0.0.1', '-p', '0'];
  const args = [program, ...where, '--silent', '--configure-bucket', 'files'];
  return await served('s3rver', spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
}

async function served(name: string, child: ChildProcess): Promise<Place> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const address = /(?:http:\/\/)?(127\.0\.0\.1:\d+)$/.exec(line)?.[1];
    if (address !== undefined)
      return { name, to: 's3://files', endpoint: `http://${address}`, stop: () => void child.kill('SIGKILL') };
  }
  throw new Error(`"${name}" did not start`);
}
