import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { Secret } from '../../src/lib/secret.ts';
import { importExport } from '../../src/commands/move.ts';
import { verifyDestination } from '../../src/commands/check.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import type { FaultPlanInput } from '../../src/sandbox/fault-plan.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { apiKey } from '../scenes/bench.ts';
import { everyNth } from '../tier.ts';
import { makeExport } from '../scenes/make-export.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { tamper, type Tampered } from '../scenes/tamper.ts';
import type { ImportRequest } from '../../src/commands/requests.ts';

type Listing = NonNullable<FaultPlanInput['listing']>;
const listings: readonly Listing[] = everyNth(
  3,
  (['id', 'time'] as const).flatMap((order) =>
    (['exclusive', 'inclusive'] as const).flatMap((cursors) =>
      (['shown', 'hidden'] as const).map((muids) => ({ order, cursors, muids })),
    ),
  ),
);
const nameOf = ({ order, cursors, muids }: Listing) => `${order}, ${cursors} cursors, muids ${muids}`;

/** One destination, read back in every way that it may list its messages: first as it was left, then with six messages changed. */
describe('verify of a destination that lists by', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-tampered-'));
  let sandbox: FaultySandbox;
  let close: () => Promise<void>;
  let here: ImportRequest;
  let there: ImportRequest;
  let planned: number;
  let tampered: Tampered;

  beforeAll(async () => {
    // Conversations of more than a page, thirty messages a second: many of them differ in nothing but their order.
    const made = makeExport(join(folder, 'export'), {
      seed: 21,
      messages: 2600,
      channels: 1,
      directs: 1,
      groupDirects: 0,
      days: 0.0005,
    });
    planned = made.planned;
    const data = join(folder, 'server.db');
    sandbox = new FaultySandbox({ store: openSandboxStore(data), apiKey, profile: 'spec', clock: systemClock });
    const served = await serveSandbox(sandbox);
    close = () => served.close(100);
    here = await sessionRequest(folder);
    there = await sessionRequest(folder, { to: served.url, apiKey: new Secret(apiKey), overrides: { graceLongMs: 0 } });
    expect((await importExport(here)).exit).toBe(0);
    expect((await importExport(there)).exit).toBe(0);
    for (const listing of listings) {
      sandbox.plan = { listing };
      expect(await verifyDestination(there), nameOf(listing)).toMatchObject({ exit: 0, report: untouched() });
    }
    tampered = tamper(data);
  });

  afterAll(async () => {
    await close();
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });

  const untouched = () => ({
    verify: { same: planned, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 },
    differences: [],
    differingConversations: [],
  });

  it.each(listings.map((listing) => [nameOf(listing), listing] as const))(
    '%s finds each of five changes, by name, and nothing else',
    async (_, listing) => {
      sandbox.plan = { listing };
      const { report, exit } = await verifyDestination(there);
      expect(exit).toBe(6);
      expect(report.verify).toEqual({
        same: planned - 3,
        missing: 1,
        extra: 0,
        different: 2,
        duplicated: 1,
        foreign: 1,
      });
      const found = new Map(report.differences.map(({ kind, muid, detail }) => [muid, `${kind}: ${detail}`]));
      const moved = tampered.swapped.find((muid) => found.has(muid));
      expect([...found.keys()].sort()).toEqual([tampered.gone, tampered.twice, tampered.altered, moved].sort());
      expect(found.get(tampered.gone)).toMatch(/^missing: /);
      expect(found.get(tampered.twice)).toMatch(/^duplicated: /);
      expect(found.get(tampered.altered)).toBe('different: differs in text');
      expect(found.get(moved!)).toBe('different: differs in order');
      expect(report.differingConversations).toMatchObject([{ missing: 1, different: 2, duplicated: 1, foreign: 1 }]);
    },
  );

  it('says nothing of the sandbox in which the same was rehearsed', async () => {
    expect(await verifyDestination(here)).toMatchObject({ exit: 0, report: untouched() });
  });
});
