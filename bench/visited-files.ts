/**
 * Lists the files that a message visits on its way from an export to a verified receipt: files with functions that are
 * called more often for 30 messages than for 10. Work that is done once for a file, a conversation or a request does
 * not count, nor does the embedded sandbox's work.
 *
 * `node bench/visited-files.ts [CHECKOUT]`: uses another checkout, to compare.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

type Program = typeof import('../src/index.ts');

const few = 10;
const many = 30;
/** Calls that a timer makes by chance in one round do not increase the total in all rounds. */
const rounds = 3;
const firstSeconds = 1_709_251_200;

const checkout = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const program = (await import(pathToFileURL(join(checkout, 'src', 'index.ts')).href)) as Program;
const folder = await mkdtemp(join(tmpdir(), 'chatferry-visited-'));
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
try {
  const planned = await visitedIn('plan');
  const imported = await visitedIn('import');
  for (const file of imported) console.log(`${planned.includes(file) ? 'plan  ' : 'import'}  ${file}`);
  console.log(`\n${planned.length} files in a plan, ${imported.length} on the whole way`);
} finally {
  session.disconnect();
  await rm(folder, { recursive: true });
}

/** Paths in src/, in order, that more messages visit more often. */
async function visitedIn(way: 'plan' | 'import'): Promise<string[]> {
  await callsOf(way, few);
  const found: Set<string>[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await callsOf(way, few);
    const after = await callsOf(way, many);
    const more = [...after].filter(([key, count]) => count > (before.get(key) ?? 0));
    found.push(new Set(more.map(([key]) => key.slice(0, key.indexOf(' ')))));
  }
  return [...found[0]!].filter((file) => found.every((others) => others.has(file))).sort();
}

/** Calls of every function of the program, by file and place in it. */
async function callsOf(way: 'plan' | 'import', messageCount: number): Promise<Map<string, number>> {
  const path = await exportOf(messageCount);
  await session.post('Profiler.takePreciseCoverage');
  await run(way, path);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await rm(path, { recursive: true });
  const calls = new Map<string, number>();
  for (const { url, functions } of result) {
    const file = url.startsWith('file:') ? relative(checkout, fileURLToPath(url)) : '';
    if (!file.startsWith('src/') || file.startsWith('src/sandbox/')) continue;
    // The first is the module itself.
    for (const { ranges, functionName } of functions.slice(1)) {
      const { startOffset, count } = ranges[0]!;
      calls.set(`${file} ${startOffset} ${functionName}`, count);
    }
  }
  return calls;
}

async function run(way: 'plan' | 'import', path: string): Promise<void> {
  const { planExport, importExport } = program;
  const request = { store: join(path, '..', 'chatferry.db'), from: path };
  const { exit } = way === 'plan' ? await planExport(request) : await importExport(request);
  if (exit !== 0 && exit !== 3) throw new Error(`The ${way} ended with ${exit}`);
  for (const name of ['chatferry.db', 'chatferry.sandbox.db', 'chatferry.db.lock'])
    await rm(join(folder, name), { force: true });
}

/** One channel, one day file, plain texts and the odd reaction: a day like others. */
async function exportOf(messageCount: number): Promise<string> {
  const path = join(folder, 'export');
  await mkdir(join(path, 'general'), { recursive: true });
  const users = ['ann', 'bob'].map((name) => ({ id: `U${name.toUpperCase()}`, name, profile: { real_name: name } }));
  const channel = { id: 'C1', name: 'general', created: 1_700_000_000, members: users.map(({ id }) => id) };
  const messages = Array.from({ length: messageCount }, (_, index) => ({
    type: 'message',
    user: users[index % 2]!.id,
    text: `message *${index}* of <@UBOB> :wave: <https://example.com/${index}>`,
    ts: `${firstSeconds + index}.000100`,
    // Every message has what many have: a thread, reactions, an edit, a file.
    ...(index % 2 === 1 && { thread_ts: `${firstSeconds + index - 1}.000100` }),
    reactions: [{ name: 'tada', users: ['UANN'], count: 1 }],
    edited: { user: 'UANN', ts: `${firstSeconds + index + 5}.000000` },
    files: [
      { id: `F${index}`, name: 'a.png', mimetype: 'image/png', size: 9, url_private: `https://files.example/${index}` },
    ],
  }));
  await writeFile(join(path, 'users.json'), JSON.stringify(users));
  await writeFile(join(path, 'channels.json'), JSON.stringify([channel]));
  await writeFile(join(path, 'general', '2024-03-01.json'), JSON.stringify(messages));
  return path;
}
