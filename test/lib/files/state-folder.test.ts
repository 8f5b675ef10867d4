import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stateFolder } from '../../../src/lib/files/state-folder.ts';

it.each([
  ['/srv/state', '/srv/xdg', '/srv/state'],
  [undefined, '/srv/xdg', '/srv/xdg/chatferry'],
  ['', '', join(homedir(), '.local/state/chatferry')],
  ['state', './xdg', join(homedir(), '.local/state/chatferry')],
])('stateFolder() takes absolute paths alone: %j, %j', (own, xdg, folder) => {
  delete process.env.CHATFERRY_STATE_DIR;
  delete process.env.XDG_STATE_HOME;
  if (own !== undefined) process.env.CHATFERRY_STATE_DIR = own;
  if (xdg !== undefined) process.env.XDG_STATE_HOME = xdg;
  expect(stateFolder()).toBe(folder);
});
