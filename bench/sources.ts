/**
 * Measures sources of other platforms, each on a generated export: reading alone against the same parser alone, and a
 * plan against a plan of a Slack export: `npm run bench -- --sources`.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareInput } from './input.ts';
import { measure } from './measure.ts';
import { median } from './median.ts';
import { formatTable } from './table.ts';
import { program } from './program.ts';

/** Each has a `makeExport` in `test/sources/<name>/made-export.ts`. */
export const sourceNames = [
  'telegram',
  'discord',
  'whatsapp',
  'teams',
  'mattermost',
  'rocketchat',
  'googlechat',
  'messenger',
  'instagram',
  'stream',
  'sendbird',
  'signal',
  'matrix',
  'zulip',
  'intercom',
  'zendesk',
  'chatwoot',
  'crisp',
  'freshchat',
  'livechat',
  'hubspot',
  'helpscout',
  'front',
  'twilio',
  'pubnub',
  'talkjs',
  'quickblox',
  'xmpp',
] as const;
export type SourceName = (typeof sourceNames)[number];

const bench = fileURLToPath(new URL('../.bench/', import.meta.url));
const wantedShare = 0.5;

export interface Made {
  readonly name: string;
  readonly path: string;
  readonly messages: number;
}

/** An export of about so many bytes, made on first use. */
export async function prepareExport(name: SourceName, megabytes: number): Promise<Made> {
  const path = join(bench, `${name}-${megabytes}mb`);
  const countFile = `${path}.count`;
  if (!existsSync(countFile)) {
    const { makeExport } = (await import(`../test/sources/${name}/made-export.ts`)) as {
      makeExport(folder: string, bytes: number): Promise<number>;
    };
    const part = `${path}.part`;
    for (const old of [part, path]) rmSync(old, { recursive: true, force: true });
    mkdirSync(part, { recursive: true });
    const messages = await makeExport(part, megabytes * 1e6);
    renameSync(part, path);
    writeFileSync(countFile, String(messages));
  }
  return { name, path, messages: Number(readFileSync(countFile, 'utf8')) };
}

/** CPU of all threads, in ms: of reading or parsing alone. */
async function readingCpuMs({ name, path, messages }: Made, how: 'read' | 'parse'): Promise<number> {
  const options = { scratchFile: join(bench, 'usage'), env: {} };
  const { result } = await measure(['bench/read-source.ts', name, path, how], options);
  const { cpuMs, messages: found } = result as { readonly cpuMs: number; readonly messages?: number };
  if (how === 'read' && found !== messages) throw new Error(`${name}: ${found} messages were read of ${messages}`);
  return cpuMs;
}

/** The same of a plan as a whole process. */
async function planCpuMs({ name, path }: Made): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  try {
    const args = ['plan', path, '--source', name, '--store', join(scratch, 'chatferry.db'), '--to', 'sandbox'];
    const env = { CHATFERRY_STATE_DIR: join(scratch, 'state') };
    const options = { scratchFile: join(scratch, 'usage'), env };
    const { cpuMs } = await measure([program, ...args, '--json', '--quiet'], options);
    return cpuMs;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** One round goes through all of them, so that a minute in which the machine is slow is one for all. */
export async function sourcesTable(megabytes: number, rounds: number): Promise<string> {
  const { zip, messageCount } = prepareInput(1000 * megabytes);
  const slack: Made = { name: 'slack', path: zip, messages: messageCount };
  const exports = await Promise.all(sourceNames.map((name) => prepareExport(name, megabytes)));
  const taken = new Map<string, number[]>();
  const take = (what: string, value: number) => taken.set(what, [...(taken.get(what) ?? []), value]);
  for (let round = 0; round < rounds; round++) {
    take('plan slack', await planCpuMs(slack));
    for (const made of exports) {
      const parse = await readingCpuMs(made, 'parse');
      const read = await readingCpuMs(made, 'read');
      take(`parse ${made.name}`, parse);
      take(`read ${made.name}`, read);
      take(`share ${made.name}`, parse / read);
      take(`plan ${made.name}`, await planCpuMs(made));
    }
  }
  const figure = (what: string) => median(taken.get(what)!);
  const perMessage = (what: string, { name, messages }: Made) =>
    ((figure(`${what} ${name}`) * 1000) / messages).toFixed(1);
  const rows = [slack, ...exports].map((made) => [
    made.name,
    made.messages.toLocaleString('en-US'),
    ...(made === slack
      ? ['', '', '', '']
      : [
          perMessage('parse', made),
          perMessage('read', made),
          `${figure(`share ${made.name}`).toFixed(2)}x`,
          `${wantedShare}x`,
        ]),
    perMessage('plan', made),
    perMessage('plan', slack),
  ]);
  const head = ['µs of CPU a message', 'messages', 'parser', 'read()', 'of the parser', 'wanted', 'plan', "Slack's"];
  return `${formatTable(head, rows)}\nsources: node bench/read-source.ts NAME FOLDER read|parse, ${megabytes} MB each, the median of ${rounds}`;
}
