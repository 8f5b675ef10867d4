/**
 * Writes src/sources/kit/text/emoji.json: emoji names of Slack and Mattermost, and what they stand for, one per line, sorted.
 *
 * Both take their names from the iamcal set (https://github.com/iamcal/emoji-data), which emojibase-data carries (MIT licence).
 * Run it after an update of emojibase-data: `node scripts/generate-emoji.ts`.
 */
import { writeFileSync } from 'node:fs';
import emojis from 'emojibase-data/en/data.json' with { type: 'json' };
import shortcodes from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

/** Names that Slack had before it took over the iamcal set, and that old messages still use. */
const formerNames = { simple_smile: 'slightly_smiling_face' };

function emojiByName(): Map<string, string> {
  const byHexcode = new Map(emojis.map(({ hexcode, emoji }) => [hexcode, withoutNeedlessSelectors(emoji)]));
  const byName = new Map<string, string>();
  for (const [hexcode, names] of Object.entries(shortcodes)) {
    const emoji = byHexcode.get(hexcode);
    if (emoji) for (const name of [names].flat()) byName.set(name, emoji);
  }
  for (const [former, name] of Object.entries(formerNames)) byName.set(former, byName.get(name)!);
  return byName;
}

/** `❤️` needs its variation selector to show in colour; `👍` does not, and people type it without. */
const withoutNeedlessSelectors = (emoji: string) => emoji.replace(/(\p{Emoji_Presentation})\uFE0F/gu, '$1');

const lines = [...emojiByName()]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, emoji]) => `${JSON.stringify(name)}: ${JSON.stringify(emoji)}`);
writeFileSync(new URL('../src/sources/kit/text/emoji.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
console.log(`${lines.length} names written to src/sources/kit/text/emoji.json`);
