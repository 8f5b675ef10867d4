import { resolve } from 'node:path';
import type { Command } from 'commander';
import { embeddedFolder } from '../../fleet/worker-options.ts';
import { quoted } from '../../lib/text/shell-word.ts';

/** Adds `--embedded DIR`, by which a command finds the fleet of \`chatferry worker --embedded DIR\`. */
export const addPlace = (command: Command): Command =>
  command.option(
    '--embedded <DIR>',
    `The fleet of the worker that has its own PostgreSQL in this folder (default: the one in ${embeddedFolder}, if there is one)`,
  );

/** Returns the flag that finds the fleet in this folder: empty for the folder in which every command looks. @param folder Absolute. */
export const embeddedFlag = (folder: string): string =>
  folder === resolve(embeddedFolder) ? '' : ` --embedded ${quoted(folder)}`;
