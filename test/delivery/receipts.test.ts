import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { Batch } from '../../src/delivery/destination.ts';
import { Receipts } from '../../src/delivery/lanes/receipts.ts';
import type { Sending } from '../../src/delivery/lanes/sending.ts';

it('Receipts: if a disk fails, receipts that fail with it cause no unhandled rejection', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  try {
    const journal = { record: () => Promise.reject(new Error('the receipts are not on disk')) };
    const sending = { journal, proof: { isNeeded: false }, knownPeople: new Set() } as unknown as Sending;
    const release = () => {
      throw new Error('the claims are not on disk');
    };
    const receipts = new Receipts(sending, {
      openLanes: { release },
      quarantine: { noteSuccess() {} },
      stops: { noteAnswer() {} },
      traffic: { async wait() {} },
    });
    const batch = { rows: [] } as unknown as Batch;
    await expect(receipts.receive(batch, new Map(), [])).rejects.toThrow('the claims are not on disk');
    await nextTurn();
    await nextTurn();
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});
