import type { BlockingCheck } from '../check.ts';

export const tagTooLong: BlockingCheck = {
  code: 'tag-too-long',
  severity: 'blocks',
  title: 'Tags that are too long',
  explanation: 'The message has a longer tag than the destination accepts.',
  remedy: 'Change messages.tags in the mapping.',
  find({ tags, limits: { tagLengthMax } }) {
    const long = tagLengthMax === undefined ? undefined : tags.find((tag) => tag.length > tagLengthMax);
    return long === undefined ? undefined : `a tag of ${long.length} characters, ${tagLengthMax} allowed`;
  },
};
