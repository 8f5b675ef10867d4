import { oneLine } from '../lib/plain-text.ts';
import type { ShownMessage, ShownPart } from '../commands/show-message.ts';

/** One message as import sends it, for people to look at. */
export function renderShownMessage({ destination, parts }: ShownMessage): string {
  return parts.map((part) => renderPart(part, destination)).join('\n\n');
}

function renderPart({ muid, never, details }: ShownPart, destination: string): string {
  const added = Object.entries(details).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [
    `${muid} as import sends it to ${oneLine(destination)}, with --details never:`,
    escapeInvisible(never),
    'and with --details always (until-known: until a receipt shows that they arrived) also:',
    ...added.map(escapeInvisible),
  ].join('\n');
}

/** Characters that a terminal obeys or does not show, as JSON may write them as well: it is the same JSON. */
const escapeInvisible = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
