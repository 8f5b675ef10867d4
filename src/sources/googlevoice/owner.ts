import type { ExportInput } from '../../io/input/export-input.ts';
import { headText } from '../kit/files/file-bytes.ts';
import { numberOfCard } from './phone-card.ts';
import type { GooglevoiceOptions } from './options.ts';

/** Who the pages call "Me". */
export interface Owner {
  readonly name: string;
  readonly numbers: ReadonlySet<string>;
}

export const isOwnerFile = (path: string): boolean => /(?:^|\/)Phones\.vcf$/i.test(path);

const cardBytes = 64 * 1024;

/** @param inputs All that are read together: only one archive of a Takeout has the card. */
export async function findOwner(inputs: readonly ExportInput[], { me }: GooglevoiceOptions): Promise<Owner> {
  const card = await firstCard(inputs);
  const name = /^FN[^:\r\n]*:(.+)$/m.exec(card)?.[1]?.trim();
  return { name: me || name || 'Me', numbers: numberOfCard(card) };
}

async function firstCard(inputs: readonly ExportInput[]): Promise<string> {
  for (const input of inputs) {
    const path = (await input.paths()).find(isOwnerFile);
    if (path !== undefined) return await headText(input, path, cardBytes);
  }
  return '';
}
