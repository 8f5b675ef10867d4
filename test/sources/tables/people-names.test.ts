import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../cli/in-process.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

const messages = range(24).map(
  (i) => `${i},${100 + (i % 4)},${10 + ((i * 5) % 6)},2024-03-01T09:${10 + i}:00Z,Ship ${i} waits`,
);
const chat = {
  'messages.csv': ['id,room_id,user_id,created_at,body', ...messages],
  'users.csv': ['id,email', ...range(6).map((i) => `${10 + i},pia.${i}@example.com`)],
  'rooms.csv': ['id,name', ...range(4).map((i) => `${100 + i},Room ${i}`)],
};
/** Profile 10 is the one of user 15. */
const profiles = {
  'profiles.csv': ['id,user_id,display_name', ...range(6).map((i) => `${10 + i},${15 - i},Pia ${15 - i}`)],
};

function folderWith(files: Readonly<Record<string, readonly string[]>>): string {
  const folder = home.make();
  mkdirSync(join(folder, 'chat'));
  for (const [name, lines] of Object.entries(files)) writeFileSync(join(folder, 'chat', name), `${lines.join('\n')}\n`);
  return folder;
}

/** The flags that take the first reading of what is open, as pressing Enter does. */
function firstFlags(stdout: string): readonly string[] {
  const found = new Map<string, string>();
  for (const [, set] of stdout.matchAll(/^ +--set '?([^'\n]+)'?$/gm)) {
    const key = set!.slice(0, set!.indexOf('='));
    if (!found.has(key)) found.set(key, set!);
  }
  return [...found.values()].flatMap((set) => ['--set', set]);
}

async function initWithFirst(folder: string, said: readonly string[] = []) {
  let flags = said;
  for (;;) {
    const { code, stdout } = await run(['init', 'chat', '--yes', ...flags], { folder });
    if (code === 0) return { flags, stdout };
    const more = firstFlags(stdout);
    if (more.length === 0) throw new Error(stdout);
    flags = [...flags, ...more];
  }
}

describe('a table of members that the user names', () => {
  it('is asked about for who has left, and read', async () => {
    const members = range(90).map(
      (i) => `${100 + (i % 4)},${10 + (i % 6)},${i % 3 ? '' : `2024-03-01T0${i % 10}:${10 + (i % 50)}:00Z`}`,
    );
    const folder = folderWith({ ...chat, 'room_members.csv': ['room_id,user_id,left_at', ...members] });
    const { flags } = await initWithFirst(folder, ['--set', 'source.tables.members={ file: room_members.csv }']);
    expect(flags).toContain('source.members.only.left_at={ filled: false }');
  });
});

describe('names of people in tables', () => {
  it('are a decision where they are made of mail addresses', async () => {
    const folder = folderWith(chat);
    await initWithFirst(folder);
    const { stdout } = await run(['plan'], { folder });
    expect(stdout).toMatch(/Needs your decision[\s\S]*May everybody see names that are made of mail addresses\?/);
  });

  it('are those of profiles rather than parts of the mail addresses of accounts', async () => {
    const folder = folderWith({ ...chat, ...profiles });
    const { flags, stdout } = await initWithFirst(folder);
    expect(flags.join(' ')).toContain('source.tables.users={ file: profiles.csv }');
    expect(stdout).toMatch(/author +Pia 10 \(10\)/);
    expect((await run(['plan'], { folder })).stdout).not.toContain('Names made of mail addresses');
  });
});
