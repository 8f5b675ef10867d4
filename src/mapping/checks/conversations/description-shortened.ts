import type { ConversationCheck } from '../check.ts';
import { descriptionLengthMax } from '../../../service/limits.ts';

export const descriptionShortened: ConversationCheck = {
  code: 'description-shortened',
  severity: 'information',
  title: 'Descriptions over 255 characters',
  explanation:
    'The destination takes descriptions of at most 255 characters (properties and constraints page, 2026-11).',
  remedy: 'Nothing: the first 255 are sent, with an ellipsis.',
  find({ description, topic }) {
    const { length } = description || topic || '';
    return length > descriptionLengthMax ? `${length} characters, ${descriptionLengthMax} allowed` : undefined;
  },
};
