import type { ExportInput } from '../io/input/export-input.ts';
import { Heads } from './kit/marks.ts';
import { consumer } from './signatures/consumer.ts';
import { containers } from './signatures/containers.ts';
import { meta } from './signatures/meta.ts';
import { servers } from './signatures/servers.ts';
import type { Signature } from './signatures/signature.ts';
import { teams } from './signatures/teams.ts';
import { vendors } from './signatures/vendors.ts';

/** Every format that is called by its name although no source reads it. The first whose marks an export has is its name. */
export const signatures: readonly Signature[] = [...teams, ...consumer, ...meta, ...servers, ...vendors, ...containers];

/** Whose export it is, although no source reads it. */
export interface Foreign {
  readonly signature: Signature;
  /** Shown to the user: `"result.json" has "id", "type" and "messages" at its top`. */
  readonly because: string;
}

/** Looks at the beginnings of a hundred files at most, 64 KiB each; never throws. */
export async function foreignPlatform(input: ExportInput): Promise<Foreign | undefined> {
  const heads = new Heads(input);
  for (const signature of signatures) {
    for (const marks of signature.marks) {
      const because = await heads.find(marks);
      if (because !== undefined) return { signature, because };
    }
  }
  return undefined;
}
