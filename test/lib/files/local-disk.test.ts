import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/lib/errors.ts';
import { assertLocalDisk } from '../../../src/lib/files/local-disk.ts';

const linux = (type: number) => ({ platform: 'linux' as const, statfs: () => ({ type }) });
const windows = { platform: 'win32' as const, statfs: () => ({ type: 0 }) };

describe('assertLocalDisk()', () => {
  it.each([
    ['NFS', 0x6969],
    ['SMB', 0x517b],
    ['CIFS', 0xff534d42],
    ['CIFS', 0xff534d42 - 2 ** 32],
    ['FUSE', 0x65735546],
  ])('refuses %s, and says how to insist', (name, type) => {
    const refused = () => assertLocalDisk('chats/chatferry.db', linux(type));
    expect(refused).toThrow(StoreError);
    expect(refused).toThrow(`Cannot use "chats/chatferry.db": it is on a network file system (${name})`);
    expect(refused).toThrow(expect.objectContaining({ hint: expect.stringContaining('--allow-network-fs') }));
  });

  it.each([
    ['ext4', 0xef53],
    ['tmpfs', 0x01021994],
    ['overlay', 0x794c7630],
    ['btrfs', 0x9123683e],
  ])('has nothing against %s', (_, type) => {
    expect(() => assertLocalDisk('chatferry.db', linux(type))).not.toThrow();
  });

  it('accepts a missing folder, which opening the store handles', () => {
    const statfs = () => {
      throw new Error('ENOENT');
    };
    expect(() => assertLocalDisk('nowhere/chatferry.db', { platform: 'linux', statfs })).not.toThrow();
  });

  it('knows a network share of Windows by its path', () => {
    expect(() => assertLocalDisk('\\\\server\\share\\chatferry.db', windows)).toThrow('network share');
    expect(() => assertLocalDisk('C:\\chats\\chatferry.db', windows)).not.toThrow();
    expect(() => assertLocalDisk('\\\\?\\C:\\chats\\chatferry.db', windows)).not.toThrow();
  });

  it('has nothing against the disk that this runs on', () => {
    expect(() => assertLocalDisk('chatferry.db')).not.toThrow();
  });
});
