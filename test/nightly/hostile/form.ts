/**
 * Databases and dumps that were made to break a reader: how each is made, and what must come of it. The chat in them has three messages, and
 * what a form does not say is as in that: all rows read, their texts planned, exit code 0.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { type RunningProcess, start } from '../../cli/process.ts';

export interface Expected {
  /** That of `plan`. */
  readonly exit?: number;
  /** Rows of messages; undefined where nothing is counted. */
  readonly read?: number | undefined;
  /** Texts of the planned messages, by time; long ones by their length; undefined if they are not compared. */
  readonly texts?: readonly string[] | undefined;
  /** In what `plan` prints, or in its list of problems. */
  readonly says?: RegExp;
  /** Changes of the mapping's `source:`. */
  readonly source?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Node is late to collect texts of megabytes that are no longer needed. */
  readonly peakMiBMax?: number;
  /** While `plan` runs. */
  readonly during?: (program: RunningProcess) => Promise<void>;
}

/** By name. */
export type Forms<Form> = Readonly<Record<string, Form>>;

/** In the words of every SQL. */
export const people = `CREATE TABLE people (id varchar(20) PRIMARY KEY, name varchar(50));
INSERT INTO people VALUES ('ann', 'Ann'), ('bo', 'Bo');
`;
export const rows = `(1, 'quay', 'ann', '2026-03-01T08:00:00Z', 'one'),
(2, 'quay', 'bo', '2026-03-01T08:01:00Z', 'two'),
(3, 'quay', 'ann', '2026-03-01T08:02:00Z', 'three')`;
export const columns = 'room varchar(20), who varchar(20), sent varchar(40)';
export const tableNamed = (name: string, body = 'body text') =>
  `CREATE TABLE ${name} (id bigint PRIMARY KEY, ${columns}, ${body});\n`;
export const messages = `${tableNamed('messages')}INSERT INTO messages VALUES ${rows};\n`;
export const chat = people + messages;

const usualSource = {
  tables: { messages: { table: 'messages' }, users: { table: 'people' } },
  users: { id: 'id', name: 'name' },
  messages: { id: 'id', conversation: 'room', author: 'who', time: { from: 'sent', format: 'iso' }, text: 'body' },
  zone: 'UTC',
};

/** Taken from names in SQL, HTML, terminals, file systems, texts from right to left. */
export const hostileNames = [
  `x"; DROP TABLE people; --`,
  'x`; DROP TABLE people; --',
  `'); DROP TABLE people; --`,
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  '\u001b[2J\u001b]0;owned\u0007',
  '../../etc/passwd',
  'select',
  '\u202egpj.exe',
  'a\r\nb',
  '=cmd()',
  '%s%n {id}',
  '__proto__',
  'constructor',
];

const usualPeakMiBMax = 300;
const longestMs = 90_000;

/** Prints the peak of resident memory, which only Linux reports. */
const probe = `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
process.on('exit', () => {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'latin1') : '';
  writeFileSync(process.env.PEAK_PATH, /^VmHWM:\\s+(\\d+) kB$/m.exec(status)?.[1] ?? '0');
});`;

export interface Outcome {
  readonly exit: number | null;
  readonly read: number | undefined;
  readonly texts: readonly string[];
  readonly isSaid: boolean;
  /** Faults that must never happen, whatever is read. */
  readonly faults: readonly string[];
  /** All that was printed, for a failed test. */
  readonly output: string;
  readonly peakMiB: number;
}

/** Runs `init`, then `plan` with a mapping, on a database in a folder of its own. */
export async function tryForm(folder: string, place: string, expected: Expected): Promise<Outcome> {
  const faults: string[] = [];
  writeFileSync(join(folder, 'probe.mjs'), probe);
  writeFileSync(
    join(folder, 'mapping.yaml'),
    JSON.stringify({ version: 1, source: { ...usualSource, ...expected.source } }),
  );
  const before = contentOf(place);
  const asked = join(folder, 'asked');
  mkdirSync(asked);
  const inited = await runWatched(['init', place, '--assume', '--no-count'], { folder: asked, ...expected }, faults);
  const planned = join(folder, 'planned');
  mkdirSync(planned);
  const { during } = expected;
  const plan = await runWatched(
    ['plan', place, '--mapping', '../mapping.yaml'],
    { folder: planned, ...expected },
    faults,
    during,
  );
  if (contentOf(place) !== before) faults.push('the file or its folder changed');
  const page = join(planned, 'chatferry.report/report.html');
  if (existsSync(page) && /<img src=x|<\/script><script>alert/.test(readFileSync(page, 'utf8')))
    faults.push('the page of the report has markup of the export');
  const problems = join(planned, 'chatferry.report/problems.csv');
  const said = plan.output + (existsSync(problems) ? readFileSync(problems, 'utf8') : '');
  const [, read] = /^Read +([\d,]+)/m.exec(plan.output) ?? [];
  return {
    exit: plan.code,
    read: read === undefined ? undefined : Number(read.replaceAll(',', '')),
    texts: textsIn(join(planned, 'chatferry.db')),
    isSaid: expected.says?.test(said) ?? true,
    faults,
    output: `${inited.output}\n${said}`,
    peakMiB: Math.max(inited.peakMiB, plan.peakMiB),
  };
}

async function runWatched(
  [command, ...args]: readonly string[],
  { folder, env = {}, peakMiBMax = usualPeakMiBMax }: { readonly folder: string } & Expected,
  faults: string[],
  during?: Expected['during'],
) {
  const peakPath = join(folder, 'peak');
  const options = `--import ${join(folder, '../probe.mjs')}`;
  const program = start([command!, ...args], { folder, env: { ...env, NODE_OPTIONS: options, PEAK_PATH: peakPath } });
  const timer = setTimeout(() => {
    faults.push(`${command} does not end within ${longestMs / 1000} s`);
    program.child.kill('SIGKILL');
  }, longestMs);
  const [{ code, stdout, stderr }] = await Promise.all([program.ended, during?.(program)]);
  clearTimeout(timer);
  const output = `${stdout}${stderr}`;
  const peakMiB = existsSync(peakPath) ? Math.round(Number(readFileSync(peakPath, 'latin1')) / 1024) : 0;
  if (code === null || code === 70 || code > 130) faults.push(`${command} ended with ${code}`);
  if (/^\s+at .+:\d+:\d+\)?$/m.test(output)) faults.push(`${command} printed a stack trace`);
  if (/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(output))
    faults.push(`${command} printed control characters`);
  if (peakMiB > peakMiBMax) faults.push(`${command} took ${peakMiB} MiB`);
  return { code, output, peakMiB };
}

/** Names and bytes of a file and those next to it. */
function contentOf(place: string): string {
  if (!existsSync(place)) return '';
  const folder = dirname(place);
  const sumOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return readdirSync(folder)
    .map((name) => `${name} ${sumOf(name)}`)
    .join();
}

const shownLength = 200;

function textsIn(storePath: string): string[] {
  if (!existsSync(storePath)) return [];
  const db = new Database(storePath, { readonly: true });
  try {
    const payloads = db
      .prepare<[], string>(
        `SELECT payload FROM message WHERE verdict = 'planned' AND vanished = 0 ORDER BY sent_at, sort_key`,
      )
      .pluck()
      .all();
    const texts = payloads.map((payload) => (JSON.parse(payload) as { data: { text?: string } }).data.text ?? '');
    return texts.map((text) => (text.length > shownLength ? `${text.length}` : text));
  } finally {
    db.close();
  }
}
