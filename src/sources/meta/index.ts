import { noOptions } from '../kit/options.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { findMarks, type Marks } from '../kit/marks.ts';
import { probedInput } from '../kit/probed-input.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource, type Probe } from '../source.ts';
import { metaCodes } from './codes.ts';

/** Two services whose downloads are alike, as `format.ts` says: a source for each, for people and threads of one are none of the other. */
const defineService = (words: { readonly name: 'messenger' | 'instagram'; readonly title: string }) =>
  defineSource({
    ...words,
    isName: () => true,
    options: noOptions,
    codes: metaCodes,
    probe: async (input): Promise<Probe> => {
      const { name, ...probe } = (await probeServices(input)) ?? {};
      return name === words.name ? (probe as Probe) : { match: 'no' };
    },
    read: lateRead(async () => ({ read: (await import('./read.ts')).makeReader(words.name) })),
  });

export const messenger = defineService({
  name: 'messenger',
  title: 'Facebook Messenger (download of your information, JSON)',
});

export const instagram = defineService({
  name: 'instagram',
  title: 'Instagram (download of your information, JSON)',
});

const thread = /(?:^|\/)message(?:_\d+)?\.json$/i;
const rows = [
  { at: '', keys: ['messages'] },
  { at: '/messages/*', keys: ['sender_name', 'timestamp_ms'] },
];
const head = [
  { at: '', keys: ['participants', 'messages'] },
  { at: '/participants/*', keys: ['name'] },
];
/** Layout of 2018, with times in seconds. */
const rowsInSeconds = [
  { at: '', keys: ['participants', 'messages', 'thread_path'] },
  { at: '/messages/*', keys: ['sender_name', 'timestamp'] },
];
/** Instagram's `messages.json` until 2020. */
const direct = [
  { at: '', keys: ['participants', 'conversation'] },
  { at: '/conversation/*', keys: ['sender', 'created_at'] },
];
const encrypted = [
  { at: '', keys: ['participants', 'threadName', 'messages'] },
  { at: '/messages/*', keys: ['senderName', 'timestamp'] },
];

const ofMessenger: readonly Marks[] = [
  {
    files: /\.json$/i,
    folders: /(?:^|\/)your_(?:activity_across_facebook|facebook_activity)\/(?:messages|groups\/your_group_messages)\//i,
    shows: 'the folders of a Facebook download around it',
  },
  { objects: encrypted },
  { files: thread, folders: /(?:^|\/)facebook-/i, objects: rows },
];
const ofInstagram: readonly Marks[] = [
  {
    files: /\.json$/i,
    folders: /(?:^|\/)your_instagram_activity\/messages\//i,
    shows: 'the folders of an Instagram download around it',
  },
  { objects: direct },
  { files: /\.json$/i, folders: /instagram/i, objects: rows },
];
const ofEither: readonly Marks[] = [
  { files: thread, objects: rows },
  { files: thread, objects: head },
  { objects: rows },
  { objects: rowsInSeconds },
];

/** If the export has nothing but messages, its location may still show which service it comes from. */
async function probeServices(
  input: ExportInput,
): Promise<{ name: 'messenger' | 'instagram'; match: 'certain' | 'likely'; because: string } | undefined> {
  const probed = probedInput(input);
  for (const [name, all] of [['messenger', ofMessenger] as const, ['instagram', ofInstagram] as const]) {
    for (const marks of all) {
      const because = await findMarks(probed, marks);
      if (because !== undefined) return { name, match: 'certain', because };
    }
  }
  for (const marks of ofEither) {
    const because = await findMarks(probed, marks);
    if (because === undefined) continue;
    const name = input.key
      .split(/[/\\]/)
      .slice(-3)
      .some((part) => /instagram/i.test(part))
      ? 'instagram'
      : 'messenger';
    return { name, match: 'likely', because: `${because}, as Messenger and Instagram write them` };
  }
  return undefined;
}
