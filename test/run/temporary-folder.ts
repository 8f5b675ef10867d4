import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder that is gone with the test file, and folders inside it. Call at the top of the file. */
export function temporaryFolder(): { readonly path: string; readonly make: () => string } {
  const path = mkdtempSync(join(tmpdir(), 'chatferry-test-'));
  afterAll(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  return { path, make: () => mkdtempSync(join(path, 'f-')) };
}
