import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decideAnswers } from '../../src/desk/answers/decide.ts';
import type { Parts } from '../../src/desk/answers/parts.ts';
import { UndoStack } from '../../src/desk/files/undo-stack.ts';
import { Workspace } from '../../src/desk/files/workspace.ts';
import { addDecisions, readDecisions } from '../../src/report/decision-log.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

it('an answer cannot be taken back with a decision that another process has noted while it was written', async () => {
  const folder = home.make();
  const store = join(folder, 'chatferry.db');
  const options = { store, mapping: join(folder, 'chatferry.mapping.yaml') };
  const config = join(folder, 'chatferry.yaml');
  const workspace = new Workspace({
    ...{ folder, exports: ['export.csv'], configPath: config },
    readOptions: () => options as ReturnType<Workspace['options']>,
  });
  const noted = { key: 'people.bots', answer: 'skip', before: null };
  const parts = {
    ...{ workspace, undone: new UndoStack(), looking: {}, facts: () => ({}), changes: () => 0, now: () => 1 },
    ...{ runner: { isBusy: false }, follower: { isHeld: async () => false } },
    deciding: { facts: () => ({}), cards: async () => [] },
    engine: {
      call: async () => {
        addDecisions(store, [{ ...noted, by: 'Ben', atMs: 1 }]);
        return { decisions: [noted], sets: [] };
      },
    },
  } as unknown as Parts;
  const answers = decideAnswers(parts);
  const none = new URLSearchParams();
  const body = { version: `${workspace.version()}.0`, card: 'f:x', answers: [0], by: 'Ana' };
  const { undo, version } = await answers['POST answer'](none, body);
  expect(undo).toBeNull();
  await expect(answers['POST undo'](none, { version })).rejects.toThrow();
  expect(readDecisions(store).map(({ by }) => by)).toEqual(['Ben', 'Ana']);
});
