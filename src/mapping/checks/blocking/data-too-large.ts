import type { BlockingCheck } from '../check.ts';

export const dataTooLarge: BlockingCheck = {
  code: 'data-too-large',
  severity: 'blocks',
  title: 'Messages that are too large',
  explanation: 'Text, attachments and metadata together are larger than the destination accepts for one message.',
  remedy: 'Shorten it at the source, or ask the service to raise the limit.',
  find({ data, limits: { dataBytesMax } }) {
    // Three UTF-8 bytes per UTF-16 unit at most: counting is only needed near the limit.
    if (dataBytesMax === undefined || data.length * 3 <= dataBytesMax) return undefined;
    const bytes = Buffer.byteLength(data);
    return bytes > dataBytesMax ? `${bytes} bytes of data, ${dataBytesMax} allowed` : undefined;
  },
};
