/** Loaded into a program before anything else: see `killed-at-step.ts`. Nothing is counted before the file with the number is there. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const path = process.env.KILL_AT_STEP!;
const { readFileSync, writeFileSync, existsSync } = fs;

/** All threads of the program count together. */
function count(): void {
  if (!existsSync(path)) return;
  const step = Number(readFileSync(path, 'utf8'));
  if (step === 0) process.kill(process.pid, 'SIGKILL');
  writeFileSync(path, String(step - 1));
}

function counted<Given extends readonly unknown[], Result>(change: (...given: Given) => Result) {
  return (...given: Given): Result => {
    count();
    return change(...given);
  };
}

fs.renameSync = counted(fs.renameSync);
fs.rmSync = counted(fs.rmSync);
syncBuiltinESMExports();
