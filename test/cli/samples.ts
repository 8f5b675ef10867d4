import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';

const sample = (name: string) => fileURLToPath(new URL(`../../samples/slack/${name}/export`, import.meta.url));

export const everyFeature = sample('every-feature');
export const damagedRows = sample('damaged-rows');

/** An export of three messages in one channel. @returns Its folder. */
export function smallExport(folder: string): string {
  const path = join(folder, 'small export');
  mkdirSync(path);
  writeFiles(path, {
    'users.json': [user(userId(1)), user(userId(2))],
    'channels.json': [{ id: 'C00000001', name: 'general', members: [userId(1), userId(2)] }],
    'general/2024-03-01.json': [1, 2, 3].map((number) =>
      message(`170925120${number}.000100`, userId(1 + (number % 2)), `Message ${number}`),
    ),
  });
  return path;
}
