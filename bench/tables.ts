import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Measured, measure } from './measure.ts';
import { formatTable } from './table.ts';

const bench = fileURLToPath(new URL('../.bench/', import.meta.url));

const words =
  'the harbour opens at six and nobody reads "quoted, separated" words; Grüße, 日本 and 🎉 stay as they are'.split(' ');

/** Row `index` of a table of messages: the same for the same index, some 350 bytes. */
function rowOf(index: number) {
  const text = Array.from({ length: 12 + (index % 40) }, (_, at) => words[(index * 7 + at * 5) % words.length]).join(
    ' ',
  );
  return {
    id: String(900_000_000_000_000_000n + BigInt(index)),
    room_id: `room-${index % 500}`,
    user_id: `user-${(index * 31) % 2000}`,
    created_at: String(1_500_000_000_000 + index * 1000),
    body: index % 9 === 0 ? `${text}\nand a second line` : text,
    parent_id: index % 5 === 0 && index > 500 ? String(900_000_000_000_000_000n + BigInt(index - 500)) : '',
  };
}

const writers = {
  csv: {
    head: 'id,room_id,user_id,created_at,body,parent_id\n',
    line: (row: ReturnType<typeof rowOf>) =>
      `${row.id},${row.room_id},${row.user_id},${row.created_at},"${row.body.replaceAll('"', '""')}",${row.parent_id}\n`,
  },
  ndjson: { head: '', line: (row: ReturnType<typeof rowOf>) => `${JSON.stringify(row)}\n` },
};

/** A generated table of about so many bytes, made on first use. */
export function prepareTable(format: keyof typeof writers, megabytes: number): string {
  const path = join(bench, `table-${megabytes}mb.${format}`);
  if (existsSync(path)) return path;
  mkdirSync(bench, { recursive: true });
  const file = openSync(`${path}.part`, 'w');
  const { head, line } = writers[format];
  let written = writeSync(file, head);
  for (let index = 0; written < megabytes * 1e6; ) {
    let block = '';
    for (const end = index + 1000; index < end; index++) block += line(rowOf(index));
    written += writeSync(file, block);
  }
  closeSync(file);
  renameSync(`${path}.part`, path);
  return path;
}

/** What the columns are. */
export const tableBindings = {
  messages: {
    id: 'id',
    conversation: 'room_id',
    author: 'user_id',
    time: { from: 'created_at', format: 'unix-ms' },
    text: { from: 'body', markup: 'plain' },
    reply: 'parent_id',
  },
};

/** Reading alone: CSV, NDJSON, and what NDJSON is compared with. */
export async function tablesTable(megabytes: number): Promise<string> {
  const [csv, ndjson] = [prepareTable('csv', megabytes), prepareTable('ndjson', megabytes)];
  const options = { scratchFile: join(bench, 'usage'), env: {} };
  const run = async (name: string, path: string, how: string) => ({
    name,
    measured: await measure(['bench/read-tables.ts', path, how], options),
  });
  const runs = [
    await run('CSV, source csv', csv, 'csv'),
    await run('NDJSON, JSON.parse alone', ndjson, 'parse'),
    await run('NDJSON, source json', ndjson, 'json'),
  ];
  const rateOf = ({ result }: Measured) => {
    const { bytes, elapsedMs } = result as { bytes: number; elapsedMs: number };
    return bytes / 1e3 / elapsedMs;
  };
  const bare = rateOf(runs[1]!.measured);
  const table = formatTable(
    ['reading alone', 'messages', 'MB', 'MB/s', 'of JSON.parse', 'peak RSS, MB'],
    runs.map(({ name, measured }) => {
      const { messages, bytes } = measured.result as { messages: number; bytes: number };
      return [
        name,
        messages.toLocaleString('en-US'),
        Math.round(bytes / 1e6).toLocaleString('en-US'),
        rateOf(measured).toFixed(0),
        name.startsWith('NDJSON') ? `${(rateOf(measured) / bare).toFixed(2)}x` : '',
        Math.round(measured.peakRssBytes / 1e6).toString(),
      ];
    }),
  );
  return `${table}\nsources: node bench/read-tables.ts FILE csv|json|parse`;
}
