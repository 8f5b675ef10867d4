import { join } from 'node:path';
import { writeLines } from '../write-lines.ts';

const channels = 200;
/** 2026-03-02, a Monday, in tenths of a microsecond. */
const firstTimetoken = 17_724_420_000_000_000n;

const answerOf = (number: number) => ({
  ...{ status: 200, error: false, error_message: '' },
  channels: {
    [`room-${number % channels}`]: [
      {
        message: { type: 'text', text: `Message ${number} ${'with some words '.repeat(number % 7)}to the end` },
        timetoken: String(firstTimetoken + BigInt(number) * 10_000_000n),
        ...{ uuid: `person-${number % 300}`, message_type: 0, custom_message_type: '' },
      },
    ],
  },
});

/** An export of answers of about so many bytes, a line with one message each, always the same. @returns how many messages it has. */
export const makeExport = (folder: string, bytes: number): Promise<number> =>
  writeLines(join(folder, 'answers.ndjson'), bytes, answerOf);
