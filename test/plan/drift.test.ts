import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/lib/secret.ts';
import { driftPolicies } from '../../src/model/change.ts';
import type { MessageRecord } from '../../src/model/records.ts';
import { explainId, verifyDestination } from '../../src/commands/check.ts';
import { undoDestination } from '../../src/commands/repair.ts';
import { apiKey } from '../scenes/bench.ts';
import { driftScene, first, people, removeFromSandbox, sentScenes, withChanged } from '../scenes/drift-scene.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { servedFaulty } from '../scenes/served-sandbox.ts';
import { atUpdate } from '../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { noonMs, person, says } from '../scenes/write-records.ts';
import type { Outcome } from '../../src/commands/results.ts';

const home = temporaryFolderInMemory();
const count = first.length;
const link = 'https://files.example.com/plan.pdf';

/** Returns a scene whose six messages are in the sandbox. */
const sent = sentScenes(home.make);

function expectBalanced({ report: { totals } }: Outcome): void {
  expect(totals.read).toBe(totals.planned + totals.skipped + totals.invalid);
  expect(totals.planned).toBe(totals.imported + totals.existing + totals.failed + totals.pending + totals.unconfirmed);
}

const allSame = (same: number) => ({ same, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 });

/** A change of one message, its kind, and the follow-up that is sent if requested. */
const changes: readonly [name: string, kind: string, messages: MessageRecord[], told: string | undefined][] = [
  [
    'an edit',
    'edited',
    withChanged(1, { text: 'one, better', edited: { atMs: noonMs + 99_000 } }),
    'Edited (message of 2024-03-01 12:00 UTC): one, better',
  ],
  [
    'an edit that the source does not mark',
    'edited',
    withChanged(3, { text: 'drei' }),
    'Edited (message of 2024-03-01 12:00 UTC): drei',
  ],
  [
    'a mark of a deletion',
    'deleted',
    withChanged(3, { text: '', isDeleted: true }),
    'Deleted at the source: message of 2024-03-01 12:00 UTC',
  ],
  ['a row that is gone', 'deleted', withChanged(3), 'Deleted at the source: message of 2024-03-01 12:00 UTC'],
  [
    'a new reaction',
    'reactions',
    withChanged(2, { reactions: [{ emoji: '👍', users: ['ann', 'bob'], count: 2 }] }),
    'Reactions to the message of 2024-03-01 12:00 UTC: 👍 2',
  ],
  [
    'a reaction that was taken back',
    'reactions',
    withChanged(2, { reactions: [] }),
    'Reactions to the message of 2024-03-01 12:00 UTC: none any more',
  ],
  [
    'a new file',
    'changed',
    withChanged(5, { attachments: [{ name: 'plan.pdf', url: link }] }),
    'Changed (message of 2024-03-01 12:00 UTC): five',
  ],
  ['a pin', 'changed', withChanged(5, { isPinned: true }), undefined],
];

describe('a message that changed after it was sent', () => {
  it.each(changes)('is found and named: %s', async (_, kind, messages) => {
    const scene = await sent();
    scene.write(messages);
    for (const outcome of [await scene.plan(), await scene.import()]) {
      expectBalanced(outcome);
      const { report, exit } = outcome;
      expect(exit).toBe(0);
      expect(report.totals).toMatchObject({ imported: count, pending: 0, failed: 0 });
      expect(report.followUps).toBeUndefined();
      expect(report.drift).toMatchObject({ kinds: { [kind]: 1 }, changes: [{ kind, policy: 'report', count: 1 }] });
      expect(report.drift!.changes[0]!.examples).toEqual([
        { location: expect.stringMatching(/^export\.ndjson:\d+$/), detail: expect.stringMatching(/^message m1/) },
      ]);
    }
    expect(scene.texts()).toEqual(first.map(({ text }) => text));
    expect((await scene.verify()).report.verify).toEqual(allSame(count));
  });

  it.each(changes)('gets a follow-up if requested: %s', async (_, kind, messages, told) => {
    const scene = await sent();
    scene.write(messages);
    const planned = await scene.plan({ drift: 'send' });
    const expected = told === undefined ? 0 : 1;
    expect(planned.report.followUps?.pending ?? 0).toBe(expected);
    expect(planned.report.forecast.requests).toBe(expected);
    const outcome = await scene.import({ drift: 'send' });
    expectBalanced(outcome);
    const { report, exit } = outcome;
    expect(exit).toBe(0);
    expect(report.totals).toMatchObject({ imported: count, pending: 0, late: 0 });
    expect(report.drift).toMatchObject({ kinds: { [kind]: 1 }, changes: [{ kind, policy: 'send', count: 1 }] });
    expect(report.followUps?.imported ?? 0).toBe(expected);
    expect(scene.texts()).toEqual([...first.map(({ text }) => text), ...(told === undefined ? [] : [told])]);
    const { report: read, exit: readExit } = await scene.verify();
    expect({ ...read.verify, exit: readExit }).toEqual({ ...allSame(count + expected), exit: 0 });
  });

  it.each(changes)('is only counted if changes are to be ignored: %s', async (_, kind, messages) => {
    const scene = await sent();
    scene.write(messages);
    const { report, exit } = await scene.import({ drift: 'ignore' });
    expect(exit).toBe(0);
    expect(report.drift!.changes).toEqual([{ kind, policy: 'ignore', count: 1, examples: [] }]);
    expect(report.followUps).toBeUndefined();
    expect(scene.texts()).toHaveLength(count);
  });

  it.each(driftPolicies)('is noted once, however often the export is read: %s', async (drift) => {
    const scene = await sent();
    const expected = drift === 'send' ? 1 : 0;
    const rest = withChanged(3);
    for (const noticed of [{ deleted: 1 }, {}, {}]) {
      scene.write(rest);
      const { report } = await scene.import({ drift });
      expect(report.drift).toMatchObject({ kinds: { deleted: 1 } });
      expect(report.drift!.noticed).toEqual(noticed);
      expect(report.followUps?.imported ?? 0).toBe(expected);
      rest.push(says(10 + rest.length, 'general', 'ann', 'one more'));
    }
    expect(scene.rows('SELECT count(*) FROM drift')).toEqual([1]);
  });

  it('counts as unchanged if only the name of a mentioned person changed: no follow-up', async () => {
    const scene = await sent();
    scene.write(withChanged(4, { text: 'four for @Annabel' }), [person('ann', { name: 'Annabel' }), people[1]!]);
    const { report } = await scene.import({ drift: 'send' });
    expect(report.drift!.kinds).toEqual({ changed: 1 });
    expect(report.followUps).toBeUndefined();
  });

  it('counts as edited if its text changed besides such a name', async () => {
    const scene = await sent();
    scene.write(withChanged(4, { text: 'five for @Annabel' }), [person('ann', { name: 'Annabel' }), people[1]!]);
    expect((await scene.plan()).report.drift!.kinds).toEqual({ edited: 1 });
  });

  it('is sent in its current form if it was not sent yet', async () => {
    const scene = driftScene(home.make());
    scene.write();
    await scene.plan();
    scene.write(withChanged(1, { text: 'one, better' }));
    const { report } = await scene.import({ drift: 'send' });
    expect(report.drift).toBeUndefined();
    expect(scene.texts()[0]).toBe('one, better');
  });
});

describe('a follow-up', () => {
  const edited = (text: string) => withChanged(1, { text, edited: { atMs: noonMs + 99_000 } });

  it('names the message it follows, and comes after all known messages', async () => {
    const scene = await sent();
    scene.write([...edited('one, better'), says(9, 'general', 'bob', 'nine')]);
    await scene.import({ drift: 'send' });
    expect(scene.texts().slice(-2)).toEqual(['nine', 'Edited (message of 2024-03-01 12:00 UTC): one, better']);
    const [original, ...rest] = scene.metadata();
    expect(rest.at(-1)).toMatchObject({ v: 1, follows: original!.key, change: 'edited', edited: noonMs / 1000 + 99 });
    expect(scene.rows('SELECT is_late FROM delivery')).not.toContain(1);
    scene.write([...edited('one, better'), says(9, 'general', 'bob', 'nine'), says(10, 'general', 'bob', 'ten')]);
    expect((await scene.import({ drift: 'send' })).report.totals).toMatchObject({ imported: count + 2, late: 0 });
  });

  it('is replaced if the message changes again before it is sent, and not needed if the change is undone', async () => {
    const scene = await sent();
    scene.write(edited('second'));
    await scene.plan({ drift: 'send' });
    scene.write(edited('third'));
    expect((await scene.plan({ drift: 'send' })).report.followUps).toMatchObject({ planned: 1, pending: 1 });
    expect(scene.rows(`SELECT payload ->> '$.data.text' FROM message WHERE follows IS NOT NULL`)).toEqual([
      'Edited (message of 2024-03-01 12:00 UTC): third',
    ]);
    scene.write();
    const { report } = await scene.import({ drift: 'send' });
    expect(report.drift!.kinds).toEqual({ edited: 3 });
    expect(report.followUps).toBeUndefined();
    expect(scene.texts()).toHaveLength(count);
  });

  it('is sent for each version that people have seen, with a muid of its own each time', async () => {
    const scene = await sent();
    const versions = ['b', 'one', 'b'];
    for (const text of versions) {
      scene.write(text === 'one' ? first : edited(text));
      expect((await scene.import({ drift: 'send' })).exit).toBe(0);
    }
    expect(scene.texts().slice(count)).toEqual(
      versions.map((text) => `Edited (message of 2024-03-01 12:00 UTC): ${text}`),
    );
    expect(new Set(scene.rows('SELECT muid FROM message')).size).toBe(count + versions.length);
    expect((await scene.verify()).report.verify).toEqual(allSame(count + versions.length));
  });

  it('has the same muid for the same change in another store', async () => {
    const muids = [];
    for (const _ of [1, 2]) {
      const scene = await sent();
      scene.write(edited('better'));
      await scene.import({ drift: 'send' });
      muids.push(scene.rows('SELECT muid FROM message WHERE follows IS NOT NULL'));
    }
    expect(muids[0]).toEqual(muids[1]);
    expect(muids[0]).toEqual([expect.stringMatching(/^m1[a-z2-7]{25}$/)]);
  });

  it('is sent only where the message is; elsewhere the message itself is sent in its current form', async () => {
    const scene = await sent();
    const { url, data } = await servedFaulty(scene.folder);
    const elsewhere = { to: url, apiKey: new Secret(apiKey), overrides: { graceLongMs: 20 } };
    scene.write(edited('better'));
    expect((await scene.plan({ ...elsewhere, drift: 'send' })).report).toMatchObject({ totals: { pending: count } });
    const there = await scene.import({ ...elsewhere, drift: 'send' });
    expect(there.report).toMatchObject({ totals: { imported: count } });
    expect([there.report.drift, there.report.followUps]).toEqual([undefined, undefined]);
    expect(sandboxContents(data).get('group_general')).toEqual(edited('better').map(({ text }) => text));
    const { report } = await scene.import({ drift: 'send' });
    expect(report).toMatchObject({ drift: { kinds: { edited: 1 } }, followUps: { imported: 1 } });
    expect(scene.texts()).toHaveLength(count + 1);
    // A change that both destinations need is one message for both.
    scene.write(edited('best'));
    await scene.import({ drift: 'send' });
    expect((await scene.import({ ...elsewhere, drift: 'send' })).report.followUps).toMatchObject({ imported: 1 });
    expect(sandboxContents(data).get('group_general')!.at(-1)).toBe(scene.texts().at(-1));
    expect(scene.rows('SELECT count(*) FROM message WHERE follows IS NOT NULL')).toEqual([2]);
  });

  it('is rolled back with everything else, and not sent again: the message then says it itself', async () => {
    const scene = await sent();
    scene.write(edited('better'));
    await scene.import({ drift: 'send' });
    const undone = await undoDestination({
      ...(await scene.request({})),
      confirm: async () => true,
    });
    expect(undone).toMatchObject({ exit: 0 });
    expect(scene.texts()).toEqual([]);
    const { report, exit } = await scene.import({ drift: 'send' });
    expect({ exit, totals: report.totals, followUps: report.followUps }).toMatchObject({
      exit: 0,
      totals: { imported: count, pending: 0 },
      followUps: undefined,
    });
    expect(scene.texts()).toEqual(edited('better').map(({ text }) => text));
    expect((await scene.verify()).report.verify).toEqual(allSame(count));
  });

  it('names its message by the muid that it has there after an undo', async () => {
    const scene = await sent();
    await undoDestination({ ...(await scene.request({})), confirm: async () => true });
    await scene.import();
    scene.write(edited('better'));
    await scene.import({ drift: 'send' });
    const metadata = scene.metadata();
    expect(metadata.at(-1)).toMatchObject({ change: 'edited', follows: metadata[0]!.key });
    expect(scene.rows('SELECT muid FROM message')).not.toContain(metadata[0]!.key);
    expect((await scene.verify()).report.verify).toEqual(allSame(count + 1));
  });

  it('is not needed where its message is missing and sent again', async () => {
    const scene = await sent();
    scene.write(edited('better'));
    await scene.plan({ drift: 'send' });
    removeFromSandbox(scene.folder, 'one');
    const repair = { sendProfiles: 'first', maxFailureShare: 1, confirm: undefined } as const;
    const { report } = await verifyDestination({ ...(await scene.request({})), repair });
    expect(report.verify).toMatchObject({ missing: 0, repaired: 1 });
    expect(scene.texts().slice(-1)).toEqual(['better']);
    const after = await scene.import({ drift: 'send' });
    expect([after.report.followUps, after.report.drift, after.exit]).toEqual([undefined, undefined, 0]);
    expect(scene.texts()).toHaveLength(count);
  });

  it('that is missing is sent again', async () => {
    const scene = await sent();
    scene.write(edited('better'));
    await scene.import({ drift: 'send' });
    const told = scene.texts().at(-1)!;
    removeFromSandbox(scene.folder, told);
    expect((await scene.verify()).report.verify).toMatchObject({ same: count, missing: 1 });
    const repair = { sendProfiles: 'first', maxFailureShare: 1, confirm: undefined } as const;
    await verifyDestination({ ...(await scene.request({})), repair });
    expect(scene.texts().at(-1)).toBe(told);
    expect((await scene.verify()).report.verify).toEqual(allSame(count + 1));
  });

  it('is explained with its message', async () => {
    const scene = await sent();
    scene.write(edited('better'));
    await scene.import({ drift: 'send' });
    const [message, followUp] = await explainId((await scene.request({})).store, 'm1', new AbortController().signal);
    expect(message).toMatchObject({
      follows: null,
      drift: [{ kind: 'edited', policy: 'send', followUp: followUp!.muid }],
    });
    expect(followUp).toMatchObject({ follows: message!.muid, verdict: 'planned', deliveries: [{ state: 'imported' }] });
    expect(followUp!.location).toBe(message!.location);
  });

  it('omits what the mapping omits, and waits while its conversation is excluded', async () => {
    const scene = await sent();
    scene.write(edited('better'));
    const mapping = 'conversations: { exclude: [general] }';
    const { report } = await scene.import({ drift: 'send', mapping, allowMappingChange: true });
    expect(report).toMatchObject({ drift: { kinds: { edited: 1 } } });
    expect(report.followUps).toBeUndefined();
  });
});

describe('an export that goes back and forth', () => {
  it('says each time that a message was lost or found, so that the last word is true', async () => {
    const scene = await sent();
    for (let round = 0; round < 2; round++) {
      scene.write(withChanged(3));
      await scene.import({ drift: 'send' });
      scene.write();
      await scene.import({ drift: 'send' });
    }
    const { report } = await scene.plan();
    expect(report.drift!.kinds).toEqual({ deleted: 2, restored: 2 });
    const round = [
      'Deleted at the source: message of 2024-03-01 12:00 UTC',
      'Restored at the source (message of 2024-03-01 12:00 UTC): three',
    ];
    expect(scene.texts().slice(count)).toEqual([...round, ...round]);
  });

  it('says that a message was deleted once, whether it is marked first or gone first', async () => {
    for (const order of [
      [withChanged(3, { text: '', isDeleted: true }), withChanged(3)],
      [withChanged(3), withChanged(3, { text: '', isDeleted: true })],
    ]) {
      const scene = await sent();
      for (const messages of [...order, ...order]) {
        scene.write(messages);
        await scene.import({ drift: 'send' });
      }
      expect((await scene.plan()).report.drift!.kinds).toEqual({ deleted: 1 });
      expect(scene.texts()).toHaveLength(count + 1);
    }
  });
});

describe('a plan that is killed', () => {
  /** More than one transaction of a plan. */
  const many = Array.from({ length: 104 }, (_, index) => says(index + 1, 'general', 'ann', `number ${index + 1}`));
  const changed = [{ ...many[0]!, text: 'changed' }, ...many.slice(1, -1)];

  it.each([1, 2])('at its commit %i records every change once, and sends one follow-up for it', async (commit) => {
    const scene = driftScene(home.make());
    scene.write(many);
    await scene.import({ verify: false });
    scene.write(changed);
    const progress = atUpdate(commit, () => {
      throw new Error('killed');
    });
    await expect(scene.plan({ drift: 'send', itemsPerCommit: 100, progress })).rejects.toThrow('killed');
    const { report } = await scene.import({ drift: 'send', verify: false });
    expect(report.drift!.kinds).toEqual({ edited: 1, deleted: 1 });
    expect(report.drift!.noticed).toEqual({ edited: 1, deleted: 1 });
    expect(report.followUps).toMatchObject({ planned: 2, imported: 2 });
    expect(report.totals.late).toBe(0);
    expect(scene.texts().slice(many.length)).toEqual([
      'Edited (message of 2024-03-01 12:00 UTC): changed',
      'Deleted at the source: message of 2024-03-01 12:01 UTC',
    ]);
  });
});

describe('a file that cannot be read to its end', () => {
  it('causes no follow-up about the deletion of its messages', async () => {
    const scene = await sent();
    scene.write(first.slice(0, 3));
    appendFileSync(scene.path, '{"kind":"message","origin":{"sou');
    const { report } = await scene.import({ drift: 'send' });
    expect(report.drift!.kinds).toEqual({ deleted: 3 });
    expect(report.followUps).toBeUndefined();
    scene.write();
    const again = (await scene.import({ drift: 'send' })).report;
    expect([again.drift!.kinds, again.followUps]).toEqual([{ deleted: 3, restored: 3 }, undefined]);
    expect(scene.texts()).toHaveLength(count);
  });
});
