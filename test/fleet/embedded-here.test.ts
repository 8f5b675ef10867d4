import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadFleet, rememberEmbedded } from '../../src/fleet/fleet-config.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

describe('loadFleet()', () => {
  beforeEach(() => {
    process.chdir(home.make());
    process.env.CHATFERRY_STATE_DIR = join(home.make(), 'state');
    mkdirSync('chatferry-fleet');
  });

  it('finds the embedded PostgreSQL of this folder once its user has named it', () => {
    expect(() => loadFleet({ env: {} })).toThrow('it was found in this folder, not named');
    rememberEmbedded('./chatferry-fleet');
    rememberEmbedded('./chatferry-fleet');
    expect(loadFleet({ env: {} }).embedded).toBe(join(process.cwd(), 'chatferry-fleet'));
    expect(readFileSync(join(process.env.CHATFERRY_STATE_DIR!, 'fleets'), 'utf8')).toBe(
      `${realpathSync('chatferry-fleet')}\n`,
    );
  });

  it('ignores the embedded database if a variable names another', () => {
    const env = { CHATFERRY_FLEET_DATABASE: 'postgres://ferry@db/ferry', CHATFERRY_FLEET_FILES: './files' };
    expect(loadFleet({ env }).embedded).toBeUndefined();
  });
});
