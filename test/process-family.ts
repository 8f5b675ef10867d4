import { readdirSync, readFileSync } from 'node:fs';

/** The processes that a process has started and that are still there; Linux only. */
export function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // The state and the parent follow the name, which may hold anything.
        const [, ppid] = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return Number(ppid) === parent;
      } catch {
        return false;
      }
    });
}

/** Nothing happens if the process has ended. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Ended by now.
  }
}
