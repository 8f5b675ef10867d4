import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedFolder } from '../../requirements.ts';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, calls: keep, deleted: keep }';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the time, the room and the author stand in the message': ['origin_server_ts', 'room_id', 'sender', 'user_id'],
  'counts how long ago it was, or names a request': ['unsigned.age', 'age', 'unsigned.transaction_id'],
  'says that it is what the text and the files show': [
    ...['content.msgtype', 'content.format', 'content.url', 'content.info.*', 'content.filename'],
    ...['content.m.poll.kind', 'content.m.poll.max_selections', 'content.m.poll.answers[].m.id'],
  ],
  'repeats the text, as it was or with a mark': [
    'content.body',
    'content.formatted_body',
    'content.org.matrix.msc1767*',
  ],
  'is the thread or the message that is answered, by the key that it has now': [
    'content.m.relates_to.*',
    'content.m.mentions*',
  ],
  'is what was said before, or who it is about': ['unsigned.prev_content.*', 'state_key', 'content.displayname'],
  'is told by other events': ['unsigned.redacted_b*', 'unsigned.m.relations.*'],
  'is a picture, of which a line of text says that it changed': ['content.avatar_url', 'content.membership'],
};

/** Paths that are not planned but counted: by the name of the count in the facts of the row. */
const losses: Readonly<Record<string, readonly string[]>> = {
  calls: ['content.*', 'type'],
  system: ['type', 'content.pinned[]*', 'content.m.*'],
  encrypted: ['content.*', 'type'],
  appData: ['content.*'],
  custom: ['content.msgtype'],
  filesWithoutAddress: ['content.file.*'],
};
/** Counted for the whole export, by the finding `matrix-not-migrated`. */
const notMigrated = { counted: ['content.file.*', 'content.org.matrix.msc3245.voice*'] };
const ordinary = ['m.room.message', 'm.sticker', 'm.poll.start'];

interface Row {
  readonly event_id: string;
  readonly room_id: string;
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
}

const rowsIn = (path: string) => (JSON.parse(readFileSync(path, 'utf8')) as { readonly chunk: readonly Row[] }).chunk;

async function balanceOf(folder: string, all: readonly Row[]) {
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = new Map(
    all.map(({ type, event_id, ...row }) => [
      `${row.room_id} ${event_id}`,
      // The shape of the message shows its type; system lines and calls are named after it.
      ordinary.includes(type) ? { ...row, body: row.content.body } : { ...row, type },
    ]),
  );
  return { missing: missingIn({ rows, planned, meaningless: { ...meaningless, ...notMigrated }, losses }), planned };
}

/** Counts the rows of each role, without code of the source. */
function countsOf(rows: readonly Row[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { type, content } of rows) {
    const relation = (content['m.relates_to'] as { rel_type?: string } | undefined)?.rel_type;
    const role = relation === 'm.replace' ? 'edit' : type;
    counts[role] = (counts[role] ?? 0) + 1;
  }
  return counts;
}

describe('the plan and losses of a Matrix room', () => {
  const folder = 'samples/matrix/answers/export';
  const rows = ['messages-1.json', 'messages-2.json'].flatMap((name) => rowsIn(join(folder, name)));

  it('account for every value of the sample answers, but for the words that an edit or a reply changed', async () => {
    const { missing, planned } = await balanceOf(folder, rows);
    expect(missing).toEqual({ body: 4 });
    // One of the deleted messages has no content left.
    expect(planned.length).toBe(36);
  });

  it('account for every row: 37 are messages, the others belong to them or are counted', () => {
    expect(rows.length).toBe(52);
    const counts = countsOf(rows);
    const belonging = ['edit', 'm.reaction', 'm.room.redaction', 'm.poll.response', 'm.call.answer', 'm.call.hangup'];
    const counted = ['m.beacon', 'com.example.game'];
    const others = [...belonging, ...counted].reduce((sum, role) => sum + counts[role]!, 0);
    expect(rows.length - others).toBe(37);
  });

  it('do not account for an unknown field', async () => {
    const { missing } = await balanceOf(
      folder,
      rows.map((row) => ({ ...row, colour: 'mauve' })),
    );
    expect(missing).toMatchObject({ colour: 36 });
  });

  const exports = sharedFolder('exports/matrix');
  it.skipIf(exports === null)('account for every value of the published answer', async () => {
    const path = join(exports!, 'client-server-api', 'messages-response.json');
    const { missing, planned } = await balanceOf(path, rowsIn(path));
    expect(missing).toEqual({});
    expect(planned.length).toBe(23);
  });
});
