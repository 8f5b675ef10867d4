import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ZipWriter } from './zip-writer.ts';

const generator = fileURLToPath(new URL('../../shared/bench/gen-slack-export.mjs', import.meta.url));
const bench = fileURLToPath(new URL('../.bench/', import.meta.url));
const seed = 42;

/** The same Slack export in three shapes. */
export interface Input {
  readonly messageCount: number;
  readonly folder: string;
  readonly zip: string;
  /** The same archive with one message more in one day file. */
  readonly changedZip: string;
  readonly description: string;
}

/** Makes the export on first use, some minutes for a million messages; takes it from `.bench/` afterwards. */
export function prepareInput(messageCount: number): Input {
  const name = `slack-${messageCount / 1000}k`;
  const folder = join(bench, name);
  const zip = `${folder}.zip`;
  const changedZip = `${folder}-changed.zip`;
  if (!existsSync(`${folder}.manifest.json`)) generate(messageCount, folder);
  const files = filesOf(folder);
  if (!existsSync(zip)) writeZip(zip, folder, files);
  if (!existsSync(changedZip)) writeZip(changedZip, folder, files, { [someDayFile(files)]: withOneMore });
  return { messageCount, folder, zip, changedZip, description: describe(folder, zip, files) };
}

function generate(messageCount: number, folder: string): void {
  if (!existsSync(generator)) throw new Error(`Cannot make a Slack export: no "${generator}"`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(bench, { recursive: true });
  console.error(`Making a Slack export of ${messageCount} messages in .bench/, once`);
  execFileSync(process.execPath, [generator, String(messageCount), folder, String(seed)], { stdio: ['ignore', 2, 2] });
}

const filesOf = (folder: string): string[] =>
  globSync('**/*.json', { cwd: folder })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();

const someDayFile = (files: readonly string[]): string => files.find((path) => path.startsWith('general/'))!;

type Change = (content: Buffer) => Buffer;

/** Writes to another name and renames, so that a half-written archive is never mistaken for a complete one. */
function writeZip(path: string, folder: string, files: readonly string[], changes: Record<string, Change> = {}): void {
  const writer = new ZipWriter(`${path}.part`);
  for (const file of files) {
    const content = readFileSync(join(folder, file));
    writer.add(file, changes[file]?.(content) ?? content);
  }
  writer.close();
  renameSync(`${path}.part`, path);
}

/** The last message of the day once more, a second later. */
function withOneMore(content: Buffer): Buffer {
  const messages = JSON.parse(content.toString()) as { ts: string }[];
  const last = messages.findLast(({ ts }) => ts)!;
  const [seconds, rest] = last.ts.split('.') as [string, string];
  return Buffer.from(JSON.stringify([...messages, { ...last, ts: `${Number(seconds) + 1}.${rest}` }]));
}

function describe(folder: string, zip: string, files: readonly string[]): string {
  const { messages, bytes } = JSON.parse(readFileSync(`${folder}.manifest.json`, 'utf8')) as Record<string, number>;
  const megabytes = (count: number) => `${Math.round(count / 1e6)} MB`;
  const count = (value: number) => value.toLocaleString('en-US');
  return `${count(messages!)} messages in ${count(files.length)} files, ${megabytes(bytes!)} of JSON, ${megabytes(statSync(zip).size)} as ZIP (seed ${seed})`;
}
