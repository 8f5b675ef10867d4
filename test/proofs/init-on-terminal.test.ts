import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { scriptPath } from '../requirements.ts';
import { keys, onTerminal, type PseudoTerminal } from '../scenes/pseudo-terminal.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { runJson } from '../cli/in-process.ts';

const home = temporaryFolder();
const script = scriptPath();
const timeoutMs = 120_000;

/** Rows whose times name no zone, and two of which are notes for a few. */
function makeExport(): string {
  const folder = home.make();
  const row = (id: number) => [
    ...[id, ['ann', 'bo', 'cy'][id % 3], ['harbour', 'kitchen'][id % 2], `2026-11-01 10:00:${10 + id}`],
    ...[id > 9 ? `A note for the staff ${id}` : `Line number ${id}`, id > 9 ? 1 : 0],
  ];
  const rows = [
    ['id', 'sender', 'room', 'sent_at', 'body', 'is_internal'],
    ...Array.from({ length: 12 }, (_, id) => row(id)),
  ];
  writeFileSync(join(folder, 'our chats.csv'), rows.map((cells) => `${cells.join(',')}\n`).join(''));
  return folder;
}

/** Presses Enter in a question. */
async function takeFirst(terminal: PseudoTerminal, question: string): Promise<void> {
  await terminal.shows(question);
  await terminal.shows('Enter: confirm');
  terminal.press(keys.enter);
}

describe.skipIf(script === null)('chatferry init on a terminal', () => {
  it(
    'asks, takes another answer than those on offer, shows what becomes of the rows, and leads to an import',
    async () => {
      const folder = makeExport();
      const init = onTerminal(script!, ['init', 'our chats.csv'], folder);
      await init.shows('In which time zone are the times?');
      await init.shows('Enter: confirm');
      init.press(keys.down, keys.enter);
      await init.shows('type to search');
      init.press('berl');
      await init.shows('(3 matches)');
      init.press(keys.enter);
      await takeFirst(init, 'Which conversation does a message belong to?');
      await init.shows('Are these rows meant for everybody in the conversation?');
      await init.shows('such as "A note for the staff 10"');
      await init.shows('Enter: confirm');
      init.press(keys.enter);
      await init.shows('What becomes of the rows');
      await init.shows('author: bo');
      await init.shows('[Y/n]');
      init.press(keys.enter);
      const { code, shown } = await init.ended;
      expect({ code, shown }).toMatchObject({
        code: 0,
        shown: expect.stringMatching(/Next\s+\S*(?:npx )?chatferry plan\s*$/),
      });
      const { source, reading } = parse(readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8'));
      expect({ source, reading }).toMatchObject({
        source: { zone: 'Europe/Berlin' },
        reading: { confirmed: { digest: expect.any(String) } },
      });

      const plan = onTerminal(script!, ['plan'], folder);
      const planned = await plan.ended;
      expect(planned).toMatchObject({ code: 0, shown: expect.stringContaining('10 messages are ready to go') });
      expect(planned.shown).not.toContain('[Y/n]');
      const imported = await runJson(['import', '--yes'], { folder });
      expect(imported).toMatchObject({ code: 0, json: { imported: 10, skipped: 2, verify: { same: 10 } } });
    },
    timeoutMs,
  );

  it(
    'says why an answer is impossible, asks again, and goes back to the question for none',
    async () => {
      const folder = makeExport();
      const init = onTerminal(script!, ['init', 'our chats.csv'], folder);
      await init.shows('Enter: confirm');
      init.press(keys.down, keys.enter);
      await init.shows('type to search');
      init.press('no such zone', keys.enter);
      await init.shows('Enter alone goes back');
      init.press('Berlin', keys.enter);
      await init.shows('Not possible: expected a time zone such as Europe/Berlin');
      await init.shows('Enter: confirm');
      init.press(keys.down, keys.enter);
      await init.shows('type to search');
      init.press('no such zone', keys.down, keys.enter);
      await init.shows('In which time zone are the times?');
      await init.shows('Enter: confirm');
      init.press(keys.enter);
      await takeFirst(init, 'Which conversation does a message belong to?');
      await init.shows('Are these rows meant for everybody');
      init.press(keys.interrupt);
      expect(await init.ended).toMatchObject({ code: 130 });
    },
    timeoutMs,
  );

  it(
    'writes nothing after Ctrl-C in a question, and nothing half after Ctrl-C at the picture',
    async () => {
      const folder = makeExport();
      const asked = onTerminal(script!, ['init', 'our chats.csv'], folder);
      await asked.shows('Enter: confirm');
      asked.press(keys.interrupt);
      expect(await asked.ended).toMatchObject({ code: 130 });
      expect(readdirSync(folder).filter((name) => name !== 'state')).toEqual(['our chats.csv']);

      const shown = onTerminal(script!, ['init', 'our chats.csv'], folder);
      await takeFirst(shown, 'In which time zone are the times?');
      await takeFirst(shown, 'Which conversation does a message belong to?');
      await takeFirst(shown, 'meant for everybody');
      await shown.shows('[Y/n]');
      shown.press(keys.interrupt);
      expect(await shown.ended).toMatchObject({ code: 130 });
      expect(readdirSync(folder).filter((name) => name !== 'state')).toEqual(['our chats.csv']);
    },
    timeoutMs,
  );
});
