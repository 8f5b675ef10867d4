import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planExport } from '../../../src/commands/prepare.ts';
import type { Decision } from '../../../src/decisions/decision.ts';
import { type CleanExport, cleanExport, message, nowMs, writeExport } from '../../mapping/checks/clean-export.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

const home = temporaryFolderInMemory();

/** Returns the decisions that a plan of the clean export with one change asks for, by code. */
async function decisions(change: (made: CleanExport) => void): Promise<Readonly<Record<string, Decision>>> {
  const folder = home.make();
  const made = cleanExport();
  change(made);
  const request = await sessionRequest(folder, {
    from: [writeExport(join(folder, 'export'), made)],
    clock: { now: () => nowMs, monotonic: () => 0, uptime: () => 0, sleep: async () => {} },
  });
  const { report } = await planExport(request);
  return Object.fromEntries(report.decisions.map((decision) => [decision.id, decision]));
}

describe('a decision', () => {
  it('names the two and the third of a direct conversation, and counts the messages that are affected', async () => {
    const found = await decisions((made) => made.more.push(message('pair', '3', 'cleo', 80)));
    expect(found).toMatchObject({
      'third-writer': {
        about: messages(3),
        ifUndecided: { sends: expect.stringContaining('becomes a group') },
        options: [{ effect: { sets: { 'conversations.outsiders': 'group' } } }, {}, {}],
        examples: ['pair: Ada and Ben; Cleo wrote 1 of 3'],
      },
    });
  });

  it('counts what people wrote, whether the finding names them by id or by their place', async () => {
    const found = await decisions((made) => {
      made.ada.id = 'ada, the first';
      made.ada.email = 'team@example.com';
      made.ben.email = 'team@example.com';
      for (const group of [made.lounge, made.pair]) group.members = group.members.map(renamed);
      for (const written of [made.first, made.fourth, made.asked]) written.author = 'ada, the first';
      made.more.push(message('lounge', '7', 'dora', 80), message('lounge', '8', 'dora', 90));
    });
    expect(Object.keys(found).toSorted()).toEqual(['author-not-described', 'same-email-people', 'uid-altered']);
    expect(found['author-not-described']).toMatchObject({
      about: messages(2),
      options: [{}, {}, { does: 'Leave 2 messages out' }, {}, { effect: { outside: true } }],
      examples: ['dora: shown as "dora", who wrote 2 messages'],
    });
    expect(found['same-email-people']?.examples).toEqual([expect.stringMatching(/: Ada and Ben share an address$/)]);
    expect(found['uid-altered']).toMatchObject({
      about: messages(3),
      examples: [expect.stringMatching(/: Ada, "ada, the first" becomes "ada-the-first-/)],
    });
  });

  it('about people who take no part in what is sent is shown with their number, and need not be made', async () => {
    const found = await decisions((made) => {
      made.ada.id = 'ada, the first';
    });
    expect(Object.keys(found).toSorted()).toEqual(['author-not-described', 'uid-altered']);
    expect(found['uid-altered']).toMatchObject({
      about: { count: 1, of: 'people', isExact: true, isIdle: true },
      isOptional: true,
    });
  });
});

const messages = (count: number) => ({ count, of: 'messages', isExact: true });

const renamed = (id: string): string => (id === 'ada' ? 'ada, the first' : id);
