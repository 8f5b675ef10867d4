import type { ExportInput } from '../io/input/export-input.ts';
import { foreignFiles, foreignReason } from './kit/files/foreign-files.ts';
import { findMarks } from './kit/marks.ts';
import { probedInput } from './kit/probed-input.ts';
import { consumer } from './signatures/consumer.ts';
import { containers } from './signatures/containers.ts';
import { desks } from './signatures/desks.ts';
import { meta } from './signatures/meta.ts';
import { servers } from './signatures/servers.ts';
import type { Signature } from './signatures/signature.ts';
import { teams } from './signatures/teams.ts';
import { vendors } from './signatures/vendors.ts';

/** Every format that is called by its name although no source reads it. The first whose marks an export has is its name. */
export const signatures: readonly Signature[] = [
  ...teams,
  ...consumer,
  ...meta,
  ...servers,
  ...desks,
  ...vendors,
  ...containers,
];

/** Whose export it is, although no source reads it. */
export interface Foreign {
  readonly signature: Signature;
  /** Shown to the user: `"result.json" has "id", "type" and "messages" at its top`. */
  readonly because: string;
}

/** Looks at the beginnings of at most six files for each of the marks, 64 KiB each; never throws. */
export async function foreignPlatform(input: ExportInput): Promise<Foreign | undefined> {
  const probed = probedInput(input);
  for (const signature of signatures) {
    for (const marks of signature.marks) {
      const because = await findMarks(probed, marks);
      if (because !== undefined) return { signature, because };
    }
  }
  return undefined;
}

/** A file next to the files that are read, in a format that no source reads. */
export interface IgnoredFile {
  readonly path: string;
  /** Description of the file, and the step that makes it readable. */
  readonly reason: string;
}

/** Files of exports whose names say that they hold data which no source reads, such as `messages.bson`. One that is the whole export is read. */
export async function ignoredFiles(inputs: readonly ExportInput[]): Promise<readonly IgnoredFile[]> {
  const found: IgnoredFile[] = [];
  for (const input of inputs) {
    const paths = await input.paths();
    for (const path of paths.length > 1 ? paths : []) {
      const reason = isOfDump(path) ? undefined : foreignReason(path);
      if (reason !== undefined) found.push({ path, reason });
    }
  }
  return found;
}

/** Such a file is next to each `.bson`, which is reported already. */
const isOfDump = (path: string) => foreignFiles.bsonIndexes.files.test(path);
