import type { Check } from './check.ts';

export const tooManyTags: Check = {
  code: 'too-many-tags',
  explanation: 'The message has more or longer tags than the destination accepts. Change messages.tags in the mapping.',
  find({ tags, limits: { tagsMax, tagLengthMax } }) {
    if (tagsMax !== undefined && tags.length > tagsMax) return `${tags.length} tags, ${tagsMax} allowed`;
    const long = tagLengthMax === undefined ? undefined : tags.find((tag) => tag.length > tagLengthMax);
    return long === undefined ? undefined : `a tag of ${long.length} characters, ${tagLengthMax} allowed`;
  },
};
