import { hash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { LetIn } from '../../desk/desk.ts';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { stateFolder } from '../../lib/files/state-folder.ts';

/** Where the desk of a folder can be reached, and the browsers that it let in. */
export type DeskBrowsers = LetIn & { readonly port: number };

const schema: z.ZodType<DeskBrowsers> = z.strictObject({
  port: z.int().min(1).max(65_535),
  cookieName: z.string().regex(/^chatferry_[\da-f]{8}$/),
  sessions: z.array(z.string().regex(/^[\da-f]{64}$/)),
});

/** In the user's own folder: a file next to an export may come from somebody else, and would let his browser in. */
const pathFor = (folder: string): string => join(stateFolder(), 'desks', hash('sha256', folder));

/** What a desk of this folder that was killed has left: the page that is still open goes on with the next one. */
export function findDeskBrowsers(folder: string): DeskBrowsers | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(pathFor(folder), 'utf8')));
  } catch {
    return undefined;
  }
}

/** If it cannot be written, a page has to be opened again after a restart. */
export function keepDeskBrowsers(folder: string, browsers: DeskBrowsers): void {
  const path = pathFor(folder);
  try {
    makeFolder(dirname(path));
    writeFileSync(path, JSON.stringify(browsers), { mode: 0o600 });
  } catch {}
}

export const forgetDeskBrowsers = (folder: string): void => rmSync(pathFor(folder), { force: true });
