import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readApiKey } from '../../src/config/api-key.ts';

function keyFile(text: string, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'key');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe('readApiKey()', () => {
  it('reads the variable, without white space around it', () => {
    expect(readApiKey(undefined, { CHATFERRY_API_KEY: ' k3y\n' })?.reveal()).toBe('k3y');
  });

  it.each([{}, { CHATFERRY_API_KEY: '' }, { CHATFERRY_API_KEY: ' \n' }])('has no key in %j', (env) => {
    expect(readApiKey(undefined, env)).toBeUndefined();
  });

  it('reads the file, which beats the variable', () => {
    expect(readApiKey(keyFile('from file\n'), { CHATFERRY_API_KEY: 'k' })?.reveal()).toBe('from file');
  });

  it.skipIf(process.platform === 'win32').each([0o644, 0o640, 0o604])(
    'refuses a file that others may read: %o',
    (mode) => {
      const path = keyFile('k3y', mode);
      expect(() => readApiKey(path, {})).toThrow(`Cannot read the API key: others may read "${path}"`);
    },
  );

  it('names a file that is empty, missing or a folder, but never its content', () => {
    const empty = keyFile('\n');
    expect(() => readApiKey(empty, {})).toThrow(`Cannot read the API key: "${empty}" is empty`);
    expect(() => readApiKey('nowhere', {})).toThrow('Cannot read the API key from "nowhere": ENOENT');
  });
});
