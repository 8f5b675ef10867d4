import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../src/lib/loopback.ts';

describe('isLoopback()', () => {
  it.each(['localhost', '127.0.0.1', '127.1.2.3', '127.8.8.8', '::1', '[::1]', '::ffff:127.0.0.1'])(
    'knows %s',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each(['0.0.0.0', '10.0.0.1', '127.example.com', '::', '[::]', '::ffff:10.0.0.1', ''])(
    'does not take %j for this machine',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});
