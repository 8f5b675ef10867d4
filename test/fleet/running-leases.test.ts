import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { whenOver } from '../../src/fleet/work/running-leases.ts';

describe('whenOver()', () => {
  const watched = (pid: number | undefined) => {
    const child = Object.assign(new EventEmitter(), { pid });
    const heard: string[] = [];
    child.on('message', (word: string) => heard.push(word));
    const over = whenOver(child as never).then(() => void heard.push('over'));
    return { child, heard, over };
  };

  it('waits for messages of a process that has already ended', async () => {
    const { child, heard, over } = watched(7);
    child.emit('exit', 0);
    await setImmediate();
    child.emit('message', 'ended');
    child.emit('disconnect');
    await over;
    expect(heard).toEqual(['ended', 'over']);
  });

  it('waits until a process with a closed channel ends', async () => {
    const { child, heard, over } = watched(7);
    child.emit('disconnect');
    child.emit('error', new Error('cannot be sent'));
    await setImmediate();
    expect(heard).toEqual([]);
    child.emit('exit', 0);
    await over;
  });

  it('waits for nothing where none could be started', async () => {
    const { child, over } = watched(undefined);
    child.emit('error', new Error('no such program'));
    await over;
  });
});
