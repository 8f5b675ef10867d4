import type { BlockingCheck } from '../check.ts';

/** Characters of a message beside its data and tags: ids, times, and the details of two people that may travel along. */
const othersMax = 2000;

export const messageTooLarge: BlockingCheck = {
  code: 'message-too-large',
  severity: 'blocks',
  title: 'Messages whose JSON is too large',
  explanation: 'The whole message, with people and tags, has more characters than the destination accepts for one.',
  remedy: 'Shorten it at the source, or ask the service to raise the limit.',
  find({ data, tags, limits: { messageCharsMax } }) {
    if (messageCharsMax === undefined || data.length + othersMax <= messageCharsMax) return undefined;
    const chars = data.length + JSON.stringify(tags).length + othersMax;
    return chars > messageCharsMax ? `about ${chars} characters, ${messageCharsMax} allowed` : undefined;
  },
};
