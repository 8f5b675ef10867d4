import type { ConversationCheck } from '../check.ts';
import { nameLengthMax } from '../../../service/limits.ts';

export const conversationNameShortened: ConversationCheck = {
  code: 'conversation-name-shortened',
  severity: 'information',
  title: 'Names of conversations over 100 characters',
  explanation: 'The destination takes names of at most 100 characters (properties and constraints page, 2026-11).',
  remedy: 'Nothing: the first 100 are sent, with an ellipsis.',
  find: ({ name }) => (name.length > nameLengthMax ? `${name.length} characters, ${nameLengthMax} allowed` : undefined),
};
