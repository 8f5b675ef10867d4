import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { questionsIn } from '../../scenes/questions-in.ts';
import { run, runJson } from '../../cli/in-process.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const cases = sharedFolder('cases');
const home = temporaryFolder();
const pathOf = (path: string) => join(cases!, path);

/** Returns the questions of `init`, and its exit code. */
async function asked(path: string, ...more: string[]) {
  const { code, json } = await runJson(['init', pathOf(path), '--yes', ...more], { folder: home.make() });
  const question = (key: string) => questionsIn(json).find((found) => found.key === key);
  return { code, question, first: (key: string) => question(key)?.readings[0]?.value };
}

interface Arrived {
  readonly kind: string;
  readonly origin: { readonly conversation: string; readonly id: string };
  readonly sentAtMs: number;
  readonly sortKey: string;
  readonly author?: string;
  readonly text: string;
}

/** The messages with these answers, in the order in which they are sent. Numbers and lists are written as YAML. */
async function arrived(path: string, answers: Readonly<Record<string, string>>, ...more: string[]) {
  const folder = home.make();
  const sets = Object.entries(answers).flatMap(([key, value]) => ['--set', `source.${key}=${value}`]);
  const made = await run(['init', pathOf(path), '--yes', ...more, ...sets], { folder });
  expect(made).toMatchObject({ code: 0 });
  const mapping = ['--mapping', join(folder, 'chatferry.mapping.yaml')];
  await run(['convert', pathOf(path), ...mapping, '--out', 'records.ndjson'], { folder });
  return readFileSync(join(folder, 'records.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line): Arrived => JSON.parse(line))
    .filter(({ kind }) => kind === 'message')
    .sort((a, b) => a.sentAtMs - b.sentAtMs || a.sortKey.localeCompare(b.sortKey));
}

const where = { 'messages.conversation': 'room_id' };
const whereAndWho = { ...where, 'messages.author': 'user_id' };
const texts = (messages: readonly Arrived[]) => messages.map(({ text }) => text);
const days = (messages: readonly Arrived[]) => [
  ...new Set(messages.map(({ sentAtMs }) => new Date(sentAtMs).toISOString().slice(0, 10))),
];

describe.skipIf(cases === null)('tables as customers have sent them', () => {
  it('keep line ends and tags of plain texts among a few of HTML', async () => {
    const path = 'html-guess-eats-lines/t.csv';
    expect((await asked(path)).question('messages.text.markup')).toBeDefined();
    const plain = texts(await arrived(path, { ...where, 'messages.text.markup': 'plain' }));
    expect(plain[0]).toBe('List:\n- one\n- two\n\nBye');
    expect(plain.join('\n')).toContain('<div>');
  });

  it.each(['messages.csv', 'old-seconds.csv'])('of iMessage are read without a question: %s', async (file) => {
    const messages = await arrived(`imessage-advice/${file}`, {});
    expect(days(messages)).toEqual(['2026-03-02']);
    expect(messages.map(({ author, text }) => [author, text])).toEqual([
      ['+15005550001', 'Who is there?'],
      ['me', 'I am'],
    ]);
  });

  it.each([
    ['t.csv', where],
    ['t.json', where],
    ['minimal.csv', whereAndWho],
  ])('keep the column of their texts when it is answered who came and left: %s', async (file, answers) => {
    const path = `init-text-stolen/${file}`;
    const kind = JSON.stringify((await asked(path)).first('messages.kind'));
    expect(kind).toContain('Bo left');
    const messages = await arrived(path, { ...answers, 'messages.kind': kind });
    expect(texts(messages)[0]).toBe('Who is there?');
  });

  it('are read with the time that init offers', async () => {
    const path = 'init-time-format-column/t.csv';
    expect((await asked(path)).first('messages.time.from')).toBe('createdAtTime');
    expect(days(await arrived(path, { ...whereAndWho, 'messages.time.from': 'createdAtTime' }))).toEqual([
      '2025-03-01',
    ]);
  });

  it('are read with the format that init named, if only the format is given', async () => {
    const format = 'EEE MMM d HH:mm:ss XXX yyyy';
    const messages = await arrived('set-format-alone-fails/t.csv', { ...whereAndWho, 'messages.time.format': format });
    expect(days(messages)).toEqual(['2017-10-31']);
  });

  it('are asked about JSON in their texts, and about characters that were read as others', async () => {
    const json = await asked('json-as-text/t.csv');
    expect(json.question('messages.text.from')?.because).toContain('JSON');
    expect(json.first('messages.text.from')).toBe('body.text');
    const mojibake = await asked('mojibake/t.csv');
    expect(mojibake.question('messages.text.from')?.because).toContain('Latin-1');
  });

  it('may be messages inside conversations whose ids are around the list', async () => {
    const { question, first } = await asked('mongo-embedded/conversations.json');
    expect(question('messages.conversation')).toBeUndefined();
    expect(question('messages.time.from')).toBeUndefined();
    expect(first('messages.author')).toBe('sender_id');
  });

  it('may begin with the newest message', async () => {
    expect(texts(await arrived('newest-first-order/t.csv', where)).slice(-3)).toEqual(['two', 'three', 'four']);
  });

  it('may be what COPY has written, without names of columns', async () => {
    const { code } = await asked('pg-copy-text/messages.copy.tsv');
    expect(code).toBe(2);
  });

  it('may have rooms that are lists with holes', async () => {
    const folder = home.make();
    const { code, stdout } = await run(['init', pathOf('rtdb-array-room-lost/export.json'), '--yes'], { folder });
    expect(code).toBe(3);
    expect(stdout).toContain('3 messages in 2 conversations, 1 row cannot be read');
  });

  it.each(cases === null ? [] : readdirSync(pathOf('private-notes-leak')).filter((file) => file.endsWith('.csv')))(
    'send no internal note unasked: %s',
    async (file) => {
      const path = `private-notes-leak/${file}`;
      const only = JSON.stringify((await asked(path, '--assume')).first('messages.only'));
      const answers = { 'messages.only': only, 'messages.conversation': 'ticket_id', 'messages.author': 'author_id' };
      // One of them marks the other row.
      expect(texts(await arrived(path, answers))).toEqual([file === 'internal.csv' ? 'he is lying' : 'My boat leaks']);
    },
  );

  it.each([
    ['crisp', { read: 3, planned: 2, skipped: 1, invalid: 0 }],
    ['freshchat', { read: 3, planned: 1, skipped: 2, invalid: 0 }],
    ['hubspot', { read: 2, planned: 1, skipped: 1, invalid: 0 }],
    // A file does not say who saw it.
    ['livechat', { read: 4, planned: 1, skipped: 2, invalid: 1 }],
  ])('of a help desk are read by a source of their own: %s', async (desk, totals) => {
    const { json } = await runJson(['plan', pathOf(`support-desk-notes/${desk}.json`)], { folder: home.make() });
    // The note stays there; so does what happened.
    expect(json).toMatchObject({ source: desk, ...totals });
  });

  it.each([
    ['sendbird-csv-unknown-columns', 'is_private'],
    ['sendbird-columns-internal', 'internal'],
  ])('are no export of Sendbird with a column that it does not have: %s', async (name, column) => {
    const { code, stderr } = await run(['plan', pathOf(name)], { folder: home.make() });
    expect(code).toBe(4);
    expect(stderr).toContain(`messages.only: {"${column}":["false",""]}`);
  });

  it('have all their columns named: what Reddit calls otherwise', async () => {
    const reddit = await arrived('sendbird-reddit-csv/chat_history.csv', { 'messages.edited': 'updated_at' });
    expect(reddit.map(({ author }) => author)).toEqual(['ines', 'bo', 'ines']);
  });

  it('of Twilio are read by a source of their own, with the column of the conversation', async () => {
    const args = ['plan', pathOf('twilio-wrong-conversation/messages.json')];
    const { json } = await runJson(args, { folder: home.make() });
    expect(json).toMatchObject({ read: 2, planned: 2, invalid: 0 });
  });

  it('of Mattermost are a known layout', async () => {
    const messages = await arrived('mattermost-compliance-csv/posts.csv', {});
    expect(messages.map(({ origin, author, text }) => [origin.conversation, origin.id, author, text])).toEqual([
      ['c1', 'p1', 'ines', 'hello'],
      ['c1', 'p2', 'tomasz', 'reply'],
    ]);
  });

  it('of ejabberd are read by a source of their own, each message once and by who sent it', async () => {
    const folder = home.make();
    const args = ['plan', pathOf('ejabberd-csv/archive.csv')];
    const { json } = await runJson(args, { folder });
    expect(json).toMatchObject({ read: 2, planned: 2, invalid: 0 });
    const { stdout } = await run(['inspect', pathOf('ejabberd-csv/archive.csv')], { folder });
    expect(stdout).toContain('ines: Who is there?');
    expect(stdout).toContain('bo: In the room');
  });
});
