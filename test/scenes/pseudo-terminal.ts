import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { environment } from '../cli/running.ts';
import { atFileEnd } from '../file-end.ts';
import { program } from '../program.ts';
import { quoted } from '../../src/lib/text/shell-word.ts';

/** Keys as a terminal sends them. */
export const keys = { enter: '\r', down: '\u001b[B', up: '\u001b[A', space: ' ', interrupt: '\u0003' };

/** The program on a terminal of 100 columns and 40 lines. */
export interface PseudoTerminal {
  /** Waits until the terminal shows a text that it has not shown before. @throws with what it shows, if the program ends first. */
  shows(text: string): Promise<void>;
  press(...pressed: readonly string[]): void;
  /** The exit code, and all that was shown. */
  readonly ended: Promise<{ readonly code: number | null; readonly shown: string }>;
}

/** @param script Path of the `script` that makes the terminal: `scriptPath()`. */
export function onTerminal(script: string, args: readonly string[], folder: string): PseudoTerminal {
  const command = [process.execPath, program, ...args].map(quoted).join(' ');
  const child = spawn(script, ['-qefc', `stty cols 100 rows 40; exec ${command}`, '/dev/null'], {
    cwd: folder,
    env: { ...environment(folder), TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  atFileEnd(() => child.kill('SIGKILL'));
  let [shown, seen, isOver] = ['', 0, false];
  const waiting = new Set<() => void>();
  const changed = () => {
    for (const look of [...waiting]) look();
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    shown += stripVTControlCharacters(chunk);
    changed();
  });
  const ended = once(child, 'close').then(([code]) => {
    isOver = true;
    changed();
    return { code: code as number | null, shown };
  });
  return {
    ended,
    press: (...pressed) => void child.stdin.write(pressed.join('')),
    shows: (text) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new Error(`The terminal does not show "${text}":\n${shown.slice(seen)}`));
        const timer = setTimeout(fail, shownMsMax);
        const look = () => {
          const at = shown.indexOf(text, seen);
          if (at === -1 && !isOver) return;
          waiting.delete(look);
          clearTimeout(timer);
          if (at === -1) return fail();
          seen = at + text.length;
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Enough on a busy machine; a text that comes later is none. */
const shownMsMax = 20_000;
