import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { seenIn } from '../ledger.ts';

const home = temporaryFolderInMemory();

/** Pieces of a page that mean nothing for what is sent, by reason. */
const meaningless: Readonly<Record<string, RegExp>> = {
  'the title, which the page has again': /<title>[\s\S]*?<\/title>/g,
  'the time as words, and its length: instants of the payload':
    /<abbr class="(?:dt|published|duration)"[^>]*>[\s\S]*?<\/abbr>/g,
  'who wrote: the author of the payload': /<cite[\s\S]*?<\/cite>|<div class="contributor[\s\S]*?<\/div>/g,
  'labels, and whether the page was deleted': /<div class="(?:tags|deletedStatusContainer)">[\s\S]*?<\/div>/g,
  'the heading of a list of people, who are members': /<div class="participants">[\s\S]*?<\/div>/g,
  'what the app calls a file, a page and a confidence':
    /<a class="(?:video|vcard)"[\s\S]*?<\/a>|<a rel="enclosure"[\s\S]*?<\/a>|<span class="(?:album|confidence)">[\s\S]*?<\/span>/g,
  'the description of a picture': / alt="[^"]*"/g,
};

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

it('the totals of a Takeout account for every word of its pages', async () => {
  const folder = 'samples/googlevoice/takeout/export/Takeout/Voice/Calls';
  const keep = 'messages: { system: keep, deleted: keep, calls: keep, attachments: placeholder }';
  const { rows: planned } = await planOf(home.make(), 'samples/googlevoice/takeout/export', keep);
  expect(planned).toHaveLength(17);
  const arrived = new Set(wordsOf(JSON.stringify(planned).replaceAll('\\n', ' ')));
  const pages = readdirSync(folder).filter((path) => path.endsWith('.html') && !path.startsWith(' - '));
  expect(pages).toHaveLength(13);
  const missing = pages.flatMap((path) => {
    const seen = seenIn(
      readFileSync(`${folder}/${path}`, 'utf8').replace(/^<\?xml[^>]*>\s*<!DOCTYPE[^>]*>/, ''),
      meaningless,
    );
    return wordsOf(decodeURIComponent(seen)).filter((word) => !arrived.has(word));
  });
  expect(missing).toEqual([]);
});
