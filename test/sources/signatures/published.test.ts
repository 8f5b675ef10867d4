import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { SourceError } from '../../../src/lib/errors.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { foreignPlatform } from '../../../src/sources/signatures.ts';
import { sharedFolder } from '../../requirements.ts';

/** Exports that others published, read in place. */
const folder = sharedFolder('exports');
/** Files that are hard to read, and no chats. */
const corpora = sharedFolder('corpora');

/** Names of the folders, and the platform of the exports in each. */
const platforms: Readonly<Record<string, RegExp>> = {
  // Its pages; JSON is read.
  messenger: /Facebook Messenger$/,
  slack: /^Slack$/,
};

/** Folders whose exports a source reads: `test/sources/<name>/real-export.test.ts` looks at them. */
const readBySources = [
  'discord',
  'telegram',
  'mattermost',
  'whatsapp',
  'teams',
  'skype',
  'rocketchat',
  'matrix',
  'instagram',
  'stream',
  'googlechat',
  'signal',
  'xmpp',
];

/** Files next to the exports that are not exports: notes, dates alone, output of another program for an export, a trap for importers. */
const noExport = /(?:\.md|date_strings\.json|target\.json|decoy\.jsonl|broken_BAD\/message_1\.json|LICENSE)$/;

const inside = (path: string) => readdirSync(path).map((name) => join(path, name));
const isFolder = (path: string) => statSync(path).isDirectory();

const hasPagesAlone = (path: string) => /\/html_[^/]*$/.test(path);

/** Each export as a folder, and each file of those that are files. */
function* exportsIn(platform: string): Generator<string> {
  for (const path of inside(join(folder!, platform))) {
    if (path.includes('workspace-2016') || (platform === 'messenger' && !hasPagesAlone(path))) continue;
    yield path;
    if (!isFolder(path)) continue;
    for (const part of inside(path))
      if (!noExport.test(part) && (platform === 'messenger' ? hasPagesAlone(part) : !isFolder(part))) yield part;
  }
}

const found =
  folder === null
    ? []
    : Object.keys(platforms).flatMap((platform) => [...exportsIn(platform)].map((path) => ({ platform, path })));

describe.skipIf(folder === null)('exports that others published', () => {
  it('are all inspected', () => {
    const folders = inside(folder!)
      .filter(isFolder)
      .map((path) => path.slice(folder!.length + 1));
    expect(folders.sort()).toEqual([...Object.keys(platforms), ...readBySources].sort());
    expect(found.length).toBeGreaterThan(0);
  });

  it.each(found)('$path is called by its name, and no source of tables offers itself', async ({ platform, path }) => {
    const [input] = await openExport([path]);
    try {
      expect(await detectSource(input!)).toEqual([]);
      expect((await foreignPlatform(input!))?.signature.platform).toMatch(platforms[platform]!);
    } finally {
      await input!.close();
    }
  });

  it('of Slack stay with the source that reads them', async () => {
    const [input] = await openExport([join(folder!, 'slack', 'workspace-2016')]);
    const [first] = await detectSource(input!);
    expect(first).toMatchObject({ adapter: { name: 'slack' }, match: 'certain' });
    await input!.close();
  });
});

describe.skipIf(corpora === null)('files that are hard to read', () => {
  it('belong to no platform', async () => {
    const files = readdirSync(corpora!, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const claimed: string[] = [];
    let count = 0;
    for (const { parentPath, name } of files) {
      const inputs = await openExport([join(parentPath, name)]).catch((error: unknown) => {
        if (error instanceof SourceError) return [];
        throw error;
      });
      for (const input of inputs) {
        count += 1;
        const found = await foreignPlatform(input);
        if (found) claimed.push(`${name}: ${found.signature.platform}`);
        await input.close();
      }
    }
    expect(claimed).toEqual([]);
    expect(count).toBeGreaterThan(400);
  });
});
