import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { importExport, verifyFiles } from '../../src/commands/move.ts';
import type { MediaFlags } from '../../src/media/media-rules.ts';
import { rclonePath } from '../requirements.ts';
import { OldHosts, onlyHttp } from '../scenes/old-hosts.ts';
import { type BucketServer, startBucketServer } from '../scenes/s3rver.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { toThisMachine } from '../scenes/test-addresses.ts';

const home = temporaryFolder();
const token = 'xoxb-0123456789-made-up-token';
const hourMs = 3_600_000;
const hexSeconds = (ms: number): string => Math.floor(ms / 1000).toString(16);

interface Sample {
  readonly path: string;
  readonly host: string;
  /** Changes the text of a file of the export, so that its addresses lead to this machine. */
  readonly rewrite: (text: string, origin: string) => string;
  /** Files of the export itself that messages have. */
  readonly local: readonly string[];
  /** Paths that are asked for, in their order: what expires first comes first. */
  readonly asked: readonly string[];
  readonly sums: Readonly<Record<'copied' | 'shared' | 'missing' | 'refused' | 'notInExport', number>>;
}

const toExample = (text: string, origin: string) => text.replaceAll('https://files.example.com', origin);

const discord = (text: string, origin: string) =>
  text
    .replaceAll('https://cdn.example.com', origin)
    .replace('plan.pdf?ex=66&is=65', `plan.pdf?ex=${hexSeconds(Date.now() + hourMs)}&is=65`)
    .replace('1/3/voice-message.ogg', `1/3/expired.ogg?ex=${hexSeconds(Date.now() - hourMs)}&is=65&hm=ab`);

const samples: Readonly<Record<string, Sample>> = {
  Slack: {
    path: 'slack/every-feature',
    host: 'files.slack.com',
    rewrite: toExample,
    local: [],
    asked: [
      '/F04BEACH01/beach.jpg',
      '/F05MAPLIGHT/map-light.png',
      '/F05MAPDARK1/map-dark.png',
      '/F05CANVAS1/canvas',
      '/moved/canvas',
    ],
    sums: { copied: 4, shared: 1, missing: 0, refused: 1, notInExport: 3 },
  },
  Telegram: {
    path: 'telegram/supergroup',
    host: 'none.example',
    rewrite: (text) => text,
    local: [
      'photos/photo_1@02-03-2026_10-06-00.jpg',
      'files/timetable.txt',
      'voice_messages/audio_1@02-03-2026_10-09-00.ogg',
      'stickers/sticker.webp',
      'contacts/contact_1.vcf',
    ],
    asked: [],
    sums: { copied: 5, shared: 0, missing: 0, refused: 0, notInExport: 1 },
  },
  WhatsApp: {
    path: 'whatsapp/android',
    host: 'none.example',
    rewrite: (text) => text,
    local: ['IMG-20240315-WA0007.jpg', 'PTT-20240315-WA0008.opus', 'Pier keeper.vcf', 'Tide table.pdf'],
    asked: [],
    sums: { copied: 4, shared: 0, missing: 0, refused: 0, notInExport: 3 },
  },
  Discord: {
    path: 'discord/server',
    host: 'cdn.discordapp.com',
    rewrite: discord,
    local: ['Harbour - Piers - general [1477000000000000100].json_Files/tide-1A2B3.png'],
    asked: [
      '/attachments/1/3/expired.ogg',
      '/attachments/1/2/plan.pdf',
      '/stickers/1477000000000000040.png',
      '/attachments/9/9/gate.jpg',
    ],
    sums: { copied: 4, shared: 0, missing: 1, refused: 1, notInExport: 1 },
  },
};

function writeSample(folder: string, { path, rewrite, host }: Sample, hosts: OldHosts): string {
  const there = join(folder, 'export');
  cpSync(join('samples', path, 'export'), there, { recursive: true });
  for (const name of filesIn(there).filter((file) => /\.(?:json|txt)$/.test(file))) {
    const text = readFileSync(join(there, name), 'utf8');
    writeFileSync(join(there, name), rewrite(text, hosts.origin(host)));
  }
  return there;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Addresses of attachments as the sandbox has them. */
function attached(folder: string): string[] {
  const db = new Database(join(folder, 'chatferry.sandbox.db'), { readonly: true });
  const rows = db.prepare<[], string>('SELECT data FROM message').pluck().all();
  db.close();
  return rows.flatMap((data) => {
    const { attachments = [] } = JSON.parse(data) as { attachments?: { url: string }[] };
    return attachments.map(({ url }) => url);
  });
}

interface Kept {
  readonly media: MediaFlags;
  readonly address: string;
  readonly env: Readonly<Record<string, string>>;
  /** Returns the digests of the stored files, by key. */
  readonly found: () => Map<string, string>;
  /** For rclone: the place, and how it is reached. */
  readonly listed: readonly [place: string, env: Readonly<Record<string, string>>];
}

function inFolder(folder: string): Kept {
  const to = join(folder, 'media');
  const address = 'https://files.example.org/chat';
  const found = () => new Map(filesIn(to).map((name) => [name, digestOf(readFileSync(join(to, name)))]));
  return { media: { to, address }, address, env: {}, found, listed: [to, {}] };
}

function inBucket(folder: string, { endpoint, env }: BucketServer): Kept {
  const there = join(folder, 's3rver', 'files', 'chat');
  const kept = () => filesIn(there).filter((name) => name.endsWith('._S3rver_object'));
  return {
    media: { to: 's3://files/chat', endpoint },
    address: `${endpoint}/files/chat`,
    env,
    found: () =>
      new Map(kept().map((name) => [name.replace('._S3rver_object', ''), digestOf(readFileSync(join(there, name)))])),
    listed: [
      'there:files/chat',
      {
        RCLONE_CONFIG_THERE_TYPE: 's3',
        RCLONE_CONFIG_THERE_PROVIDER: 'Other',
        RCLONE_CONFIG_THERE_ENDPOINT: endpoint,
        RCLONE_CONFIG_THERE_ACCESS_KEY_ID: env.AWS_ACCESS_KEY_ID,
        RCLONE_CONFIG_THERE_SECRET_ACCESS_KEY: env.AWS_SECRET_ACCESS_KEY,
      },
    ],
  };
}

const rclone = rclonePath();

/** Keys as an independent client lists them. */
async function listedBy([place, env]: Kept['listed']): Promise<string[]> {
  const own = { PATH: process.env.PATH, RCLONE_CONFIG: '/dev/null', ...env };
  const { stdout } = await promisify(execFile)(rclone!, ['lsf', '--recursive', '--files-only', place], { env: own });
  return stdout.trim().split('\n').sort();
}

describe.each(Object.entries(samples))('files of %s', (name, sample) => {
  it.each(['bucket', 'folder'])('are in a %s as they were served, and messages name them there', async (kind) => {
    const folder = home.make();
    const hosts = new OldHosts(token);
    await hosts.listen();
    const exported = writeSample(folder, sample, hosts);
    const kept =
      kind === 'folder' ? inFolder(folder) : inBucket(folder, await startBucketServer(join(folder, 's3rver')));
    writeFileSync(join(folder, 'token'), token, { mode: 0o600 });
    const own = name === 'Slack' ? { token: join(folder, 'token') } : {};
    const request = await sessionRequest(folder, { from: [exported], env: kept.env });
    const media = { ...kept.media, ...own, missing: 'name', perHost: 1, concurrency: 1 } as const;
    const { report } = await importExport({ ...request, media, rule: onlyHttp, resolve: toThisMachine });

    const { path, local, asked, sums } = sample;
    expect(report.media).toMatchObject({ ...sums, waiting: 0 });
    // Counted by eye, next to the sample.
    const facts = JSON.parse(readFileSync(join('samples', path, 'facts.json'), 'utf8')) as { files: number };
    expect(Object.values(sums).reduce((sum, count) => sum + count)).toBe(facts.files);
    expect(hosts.asked.map((one) => one.path.split('?')[0])).toEqual(asked);
    const wanted = [...hosts.given, ...local.map((file) => digestOf(readFileSync(join(exported, file))))];
    const found = kept.found();
    expect([...found.values()].sort()).toEqual([...new Set(wanted)].sort());
    for (const [key, digest] of found) expect(key).toContain(digest);
    if (rclone) expect(await listedBy(kept.listed)).toEqual([...found.keys()].sort());
    const named = new Set(attached(folder).filter((url) => url.startsWith(kept.address)));
    expect([...named].sort()).toEqual([...found.keys()].map((key) => `${kept.address}/${key}`).sort());
    expect(await verifyFiles({ store: request.store, env: kept.env })).toMatchObject({ exit: 0, same: found.size });

    for (const { host, authorization } of hosts.asked)
      expect(authorization).toBe(name === 'Slack' && host === 'files.slack.com' ? `Bearer ${token}` : undefined);
    for (const file of filesIn(folder).filter((one) => one !== 'token'))
      expect(readFileSync(join(folder, file)).includes(token), file).toBe(false);
    expect(JSON.stringify(report)).not.toContain(token);
  });
});
