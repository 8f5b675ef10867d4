import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource, type Probe } from '../source.ts';
import { slackCodes } from './codes.ts';
import { arrange } from './layout.ts';
import { slackOptionsSchema } from './options.ts';

/**
 * Exports of a Slack workspace (all plans), of an Enterprise Grid organisation, and what slackdump writes in the same layout; and the rows of
 * Slack's API as `chatferry fetch` writes them.
 *
 * Layout: https://slack.com/help/articles/220556107-How-to-read-Slack-data-exports (2026-11).
 */
export const slack = defineSource({
  name: 'slack',
  title: 'Slack export (folder or ZIP)',
  options: slackOptionsSchema,
  codes: slackCodes,
  probe,
  read: lateRead(() => import('./read.ts')),
});

/** How much of a file is looked at: enough for the first person, channel or message. */
const headBytes = 4096;

/** An id of a person, team or conversation as Slack makes them, or a time as only Slack writes it. */
const marks = /"(?:id|team_id)"\s*:\s*"[UWTCGD][A-Z0-9]{6,}"|"ts"\s*:\s*"\d{9,10}\.\d{6}"/;

/**
 * Certain if one of Slack's lists is at the top and it, or a day file, has Slack's format; likely if only a day file
 * has. Reads the beginnings of at most three files.
 */
async function probe(input: ExportInput): Promise<Probe> {
  const { userLists, conversationLists, folders } = arrange(await input.paths());
  const lists = [...conversationLists.map(({ path }) => path), ...userLists];
  const candidates = [lists[0], userLists[0], folders[0]?.files[0]].filter((path) => path !== undefined);
  for (const path of new Set(candidates)) {
    const head = Buffer.from(await headOrNothing(input, path, headBytes)).toString('latin1');
    if (!marks.test(head)) continue;
    if (lists.length === 0) return { match: 'likely', because: `messages with Slack's timestamps in "${path}"` };
    return {
      match: 'certain',
      because: `${lists
        .slice(0, 3)
        .map((list) => `"${list}"`)
        .join(', ')} at the top`,
    };
  }
  return { match: 'no' };
}
