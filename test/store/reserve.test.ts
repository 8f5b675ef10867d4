import { existsSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reserveBeside } from '../../src/store/base/group-commit.ts';
import { storePath } from './fixture.ts';

const bytes = 16 * 1024 * 1024;

describe('reserveBeside()', () => {
  it('takes its room when it is asked to, for its owner only, and gives it back once', () => {
    const path = storePath();
    const reserve = reserveBeside(path);
    expect(reserve.spend()).toBe(false);
    reserve.hold();
    const file = statSync(`${path}.reserve`);
    expect(file.size).toBe(bytes);
    if (process.platform !== 'win32') {
      expect(file.mode & 0o777).toBe(0o600);
      // Not a hole: blocks of 512 bytes that the file takes.
      expect(file.blocks * 512).toBeGreaterThanOrEqual(bytes);
    }
    expect([reserve.spend(), reserve.spend(), existsSync(`${path}.reserve`)]).toEqual([true, false, false]);
  });

  it('takes less for a store with few messages: 24 KiB for each, and 2 MiB', () => {
    const path = storePath();
    reserveBeside(path, () => 32).hold();
    expect(statSync(`${path}.reserve`).size).toBe((2 + 0.75) * 1024 * 1024);
  });

  it('reuses the reserve of a killed process, and completes a partial one', () => {
    const path = storePath();
    writeFileSync(`${path}.reserve`, 'begun');
    for (const _ of ['made whole', 'taken over']) {
      reserveBeside(path).hold();
      expect(statSync(`${path}.reserve`).size).toBe(bytes);
    }
  });

  it('reports the path if there is no room for it', () => {
    expect(() => reserveBeside('/nowhere/chatferry.db').hold()).toThrow('Cannot use "/nowhere/chatferry.db.reserve"');
  });
});
