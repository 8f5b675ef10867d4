import type { MessageCheck } from '../check.ts';
import { firstReaction } from '../reactions.ts';

export const reactionCustomEmoji: MessageCheck = {
  code: 'reaction-custom-emoji',
  severity: 'information',
  title: 'Reactions with an emoji of the old system',
  explanation: 'The emoji is an image of the old workspace and has no character: only its name can be carried over.',
  remedy: 'Nothing, or make the emoji at the destination.',
  concerns: 'reactions',
  find: (record) => firstReaction(record, ({ emoji }) => /^:[^:]+:$/.test(emoji)),
};
