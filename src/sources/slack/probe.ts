import type { ExportInput } from '../../io/input/export-input.ts';
import type { Probe } from '../source.ts';
import { arrange } from './layout.ts';

/** How much of a file is looked at: enough for the first person, channel or message. */
const headBytes = 4096;

/** An id of a person, team or conversation as Slack makes them, or a time as only Slack writes it. */
const marks = /"(?:id|team_id)"\s*:\s*"[UWTCGD][A-Z0-9]{6,}"|"ts"\s*:\s*"\d{9,10}\.\d{6}"/;

/**
 * Certain where one of Slack's lists stands at the top and it, or a day file, looks as Slack writes them; likely where only
 * a day file does. Reads the beginnings of at most three files.
 */
export async function probe(input: ExportInput): Promise<Probe> {
  const { userLists, conversationLists, folders } = arrange(await input.paths());
  const lists = [...conversationLists.map(({ path }) => path), ...userLists];
  const candidates = [lists[0], userLists[0], folders[0]?.files[0]].filter((path) => path !== undefined);
  for (const path of new Set(candidates)) {
    const head = Buffer.from(await input.head(path, headBytes)).toString('latin1');
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
