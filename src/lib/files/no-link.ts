import { lstatSync, readlinkSync } from 'node:fs';
import { UsageError } from '../errors.ts';

/**
 * Refuses to write through a link: one that came with a folder of others leads to whatever they chose. A database is refused even if the
 * user named the link, because its lock and its log would be next to the link, and not next to the database.
 *
 * @throws UsageError if the path itself is a link, also a dangling one. Folders above it may be.
 */
export function assertNoLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new UsageError(`Cannot write to "${path}": it is a link to "${readlinkSync(path)}"`, {
    hint: 'If that is meant, name the target itself; else remove the link',
  });
}
