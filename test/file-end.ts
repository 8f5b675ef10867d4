type End = () => unknown;

const ends: End[] = [];

/**
 * Does something once the test file that runs now is over, last things first. Files share a process and its modules, so a module that
 * several of them use cannot say so to vitest: it is loaded for the first of them alone.
 */
export function atFileEnd(end: End): void {
  ends.push(end);
}

/** For `set-up.ts`. */
export async function endFile(): Promise<void> {
  for (let end = ends.pop(); end; end = ends.pop()) await end();
}
