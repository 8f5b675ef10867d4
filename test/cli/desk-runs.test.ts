import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeskState } from '../../src/desk/shapes.ts';
import type { ConversationPage } from '../../src/viewer/shapes.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { openDesk } from './desk-scene.ts';

const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../samples/slack/every-feature/export');

const stepsIn = ({ steps }: DeskState) => Object.fromEntries(steps.map(({ step, status }) => [step, status]));

describe('the runs of chatferry desk', () => {
  it('plan an export and rehearse it, from a copy of the store that leaves the plan as it is', async () => {
    const folder = home.make();
    const { ask, counted, ran, request } = await openDesk([slack], folder);
    expect(stepsIn(await counted())).toMatchObject({
      source: 'done',
      decide: 'done',
      people: 'waiting',
      rehearse: 'open',
    });
    expect(await ran({ kind: 'plan' })).toMatchObject({ outcome: 'Done', exit: 0, error: null });
    const planned = await ask<DeskState>('state');
    expect([stepsIn(planned), planned.chats]).toEqual([
      { source: 'done', decide: 'done', people: 'done', rehearse: 'open', 'sign-off': 'open', go: 'open' },
      null,
    ]);
    for (const _ of ['once', 'again']) {
      expect(await ran({ kind: 'rehearse' })).toMatchObject({ outcome: 'Done', exit: 0, error: null });
      const rehearsed = await ask<DeskState>('state');
      expect([stepsIn(rehearsed), rehearsed.chats]).toMatchObject([{ rehearse: 'done', go: 'open' }, 'rehearsal']);
      const chats = (await (await request('/desk/chats/conversations')).json()) as ConversationPage;
      expect(chats.totals.messages).toBeGreaterThan(20);
    }
    expect(existsSync(join(folder, 'chatferry.sandbox.db'))).toBe(false);
    expect((await ran({ kind: 'plan' })).outcome).toBe('Done');
    expect(stepsIn(await ask<DeskState>('state')).rehearse).toBe('done');
  });
});
