import type { ExportInput } from '../../../io/input/export-input.ts';
import { detectSource } from '../../../sources/detect.ts';
import type { SourceAdapter } from '../../../sources/source.ts';

/** Why an input was recognised. */
export interface Recognition {
  readonly label: string;
  readonly because: string;
}

/** The reason if the user named the source. */
export const namedByUser = 'named by --source';

/** Why each input is taken for this source's. */
export async function recognitions(
  inputs: readonly ExportInput[],
  adapter: SourceAdapter,
): Promise<readonly Recognition[]> {
  const found: Recognition[] = [];
  for (const input of inputs) {
    const own = (await detectSource(input)).find((detected) => detected.adapter === adapter);
    found.push({ label: input.label, because: own?.because ?? namedByUser });
  }
  return found;
}
