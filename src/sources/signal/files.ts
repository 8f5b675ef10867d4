import { hash } from 'node:crypto';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Attachment } from '../../model/records.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { asCount, asString } from '../kit/narrow.ts';
import { type Fields, asFields } from './format.ts';

const stored = /(?:^|\/)([0-9a-f]{64})(\.\w{1,8})?$/;

/** A file that a message names. */
export interface NamedPointer {
  readonly pointer: unknown;
  /** Used if it has no name: `voice message`. */
  readonly kind: string;
}

/** Files of an export of Signal's own, in folders by the first letters of their names, which are made of hashes. */
export async function storedFiles(input: ExportInput, base: string) {
  const files = await localFiles(input);
  const byHash = new Map<string, string>();
  for (const path of await input.paths()) {
    const hash = path.startsWith(base) ? stored.exec(path)?.[1] : undefined;
    if (hash !== undefined) byHash.set(hash, path);
  }
  return async ({ pointer: value, kind }: NamedPointer): Promise<Attachment> => {
    const { contentType, fileName, locatorInfo } = asFields(value);
    const info = asFields(locatorInfo);
    const path =
      byHash.size === 0
        ? undefined
        : namesOf(info)
            .map((name) => byHash.get(name))
            .find(Boolean);
    const extension = path === undefined ? '' : (stored.exec(path)?.[2] ?? '');
    const name = asString(fileName) ?? `${kind}${extension}`;
    const about = { name, mimeType: asString(contentType), kind };
    if (path !== undefined) return files.attachment({ ...about, path });
    const sizeBytes = asCount(info.size);
    return { ...about, ...(sizeBytes !== undefined && { sizeBytes }), unavailable: 'not-in-export' };
  };
}

/** Named by what is in it and the key of its copy, or by what is in it alone. */
function namesOf({ plaintextHash, localKey }: Fields): string[] {
  const [content, key] = [plaintextHash, localKey].map((value) => Buffer.from(asString(value) ?? '', 'base64'));
  return content!.length === 0
    ? []
    : [hash('sha256', Buffer.concat([content!, key!]), 'hex'), content!.toString('hex')];
}
