import type { BlockingCheck } from '../check.ts';

export const tooManyTags: BlockingCheck = {
  code: 'too-many-tags',
  severity: 'blocks',
  title: 'Too many tags',
  explanation: 'The message has more tags than the destination accepts.',
  remedy: 'Change messages.tags in the mapping.',
  find({ tags, limits: { tagsMax } }) {
    return tagsMax !== undefined && tags.length > tagsMax ? `${tags.length} tags, ${tagsMax} allowed` : undefined;
  },
};
