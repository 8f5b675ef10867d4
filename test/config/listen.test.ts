import { describe, expect, it } from 'vitest';
import { listenSchema } from '../../src/sync/shared-settings.ts';

describe('listenSchema', () => {
  it('accepts text as written in the file, and listens on this machine by default', () => {
    expect(listenSchema.parse({ port: '9464' })).toEqual({ port: 9464, address: '127.0.0.1', allowRemote: false });
    expect(listenSchema.parse({ port: 9464, allowRemote: true })).toMatchObject({ port: 9464, allowRemote: true });
  });

  it.each(['127.0.0.1', '127.8.0.1', 'localhost', '::1', '0:0:0:0:0:0:0:1'])(
    'takes the own address "%s"',
    (address) => {
      expect(listenSchema.parse({ port: '1', address }).address).toBe(address);
    },
  );

  it.each(['0.0.0.0', '::', '10.0.0.7', 'sync.example.com', '::ffff:10.0.0.7'])(
    'takes the address "%s", which others reach, only with allowRemote',
    (address) => {
      const { error } = listenSchema.safeParse({ port: '1', address });
      expect(error?.issues[0]).toMatchObject({
        path: ['address'],
        message: expect.stringContaining('allowRemote: true'),
      });
      expect(listenSchema.safeParse({ port: '1', address, allowRemote: 'true' }).success).toBe(true);
    },
  );

  it.each([
    [{}, 'port'],
    [{ port: '70000' }, 'port'],
    [{ port: '80a' }, 'port'],
    [{ port: '1', address: 'a b' }, 'address'],
    [{ port: '1', address: '' }, 'address'],
    [{ port: '1', allowRemote: 'yes' }, 'allowRemote'],
  ])('refuses %o, naming the key', (given, key) => {
    expect(listenSchema.safeParse(given).error?.issues[0]?.path).toEqual([key]);
  });

  it('refuses a key that it does not know', () => {
    expect(listenSchema.safeParse({ port: '1', adress: 'x' }).error?.issues[0]?.message).toContain('adress');
  });
});
