import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CleanExport, cleanExport, nowMs, writeExport } from '../mapping/checks/clean-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';
import { run } from './in-process.ts';

const home = temporaryFolder();

/** Returns the output of `command` for the clean export with one change. */
async function printed(command: 'inspect' | 'plan', change: (made: CleanExport) => void) {
  const folder = home.make();
  const made = cleanExport();
  change(made);
  const path = writeExport(join(folder, 'export'), made);
  const { stdout, stderr } = await run([command, path], { folder, clock: new VirtualClock(nowMs) });
  return { stdout, stderr };
}

const silent = (id: string, name = id) => ({ kind: 'user', id, name }) as const;

describe('a plan', () => {
  it('does not say that people have no name if their ids are names', async () => {
    const { stdout } = await printed('plan', ({ more }) => more.push(silent('Inès Bruun 2'), silent('tomasz_k42')));
    expect(stdout).not.toContain('person-without-name');
  });

  it.each(['U012AB3CD', '+49 170 1234567', 'dora@example.com', '42'])('says that %s is no name', async (id) => {
    const { stdout } = await printed('plan', ({ more }) => more.push(silent(id)));
    expect(stdout).toContain('person-without-name');
  });

  it('knows members who are described behind the conversation', async () => {
    const { stdout } = await printed('plan', (made) => {
      made.lounge.members.push('dora');
      made.more.push(silent('dora', 'Dora'));
    });
    expect(stdout).toContain('silent-members');
    expect(stdout).not.toContain('member-not-described');
  });

  it('names members that no file describes', async () => {
    const { stdout } = await printed('plan', ({ lounge }) => lounge.members.push('dora'));
    expect(stdout).toContain('member-not-described');
  });

  it('says that nothing hangs on the uid of a person who sends and receives nothing', async () => {
    const { stdout } = await printed('plan', ({ more }) => more.push(silent('dora@example.com', 'Dora')));
    expect(stdout).toMatch(
      /Needs your decision\n {2}By which ids does your app know these people\? {2}1 person; nothing planned hangs on it/,
    );
  });

  it('asks for a decision about a uid to which others write', async () => {
    const { stdout } = await printed('plan', (made) => {
      made.ben.id = made.pair.members[1] = 'ben@example.com';
      made.lounge.members = ['ada', 'cleo'];
      for (const row of [made.second, made.fifth, made.answered]) row.author = 'ada';
    });
    expect(stdout).toMatch(/Needs your decision\n {2}By which ids does your app know these people\? {2}2 messages/);
  });

  it('asks for no decision about a message that the mapping leaves out as invalid', async () => {
    const folder = home.make();
    const made = cleanExport();
    delete made.first.author;
    const path = writeExport(join(folder, 'export'), made);
    writeFileSync(join(folder, 'my.yaml'), 'people: { unknownAuthors: reject }\n');
    const plan = (...more: readonly string[]) =>
      run(['plan', path, ...more], { folder, clock: new VirtualClock(nowMs) });
    expect((await plan()).stdout).toMatch(/Needs your decision[\s\S]*no-author/);
    const { stdout } = await plan('--mapping', 'my.yaml');
    expect(stdout).toMatch(/Invalid[\s\S]*unknown-author/);
    expect(stdout).not.toContain('no-author');
  });

  it('does not compare an export without messages with an earlier plan that is not there', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'export.ndjson'), `${JSON.stringify(silent('ada', 'Ada'))}\n`);
    const plan = () => run(['plan', 'export.ndjson'], { folder, clock: new VirtualClock(nowMs) });
    expect((await plan()).stderr).not.toContain('nothing changed');
    expect((await plan()).stderr).toContain('nothing changed since the last plan');
  });
});

describe('inspect', () => {
  it('shows the name that a message gives for its author', async () => {
    const { stdout } = await printed('inspect', ({ first }) => {
      first.author = 'aaaaaaaa-0000-4000-8000-000000000001';
      first.authorDetails = { name: 'Dora' };
    });
    expect(stdout).toContain('Dora: Message 1');
  });
});
