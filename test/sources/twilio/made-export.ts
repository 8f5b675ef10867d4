import { join } from 'node:path';
import { writeLines } from '../write-lines.ts';

const conversations = 200;
/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;

const sidOf = (kind: string, number: number) => `${kind}${number.toString(16).padStart(32, '0')}`;

function messageOf(number: number) {
  const at = new Date(firstMs + number * 1000).toISOString().replace('.000Z', 'Z');
  return {
    ...{ sid: sidOf('IM', number), account_sid: sidOf('AC', 0), conversation_sid: sidOf('CH', number % conversations) },
    body: `Message ${number} ${'with some words '.repeat(number % 7)}to the end`,
    ...{ media: null, author: `person-${number % 300}`, participant_sid: sidOf('MB', number % 300), attributes: '{}' },
    ...{ date_created: at, date_updated: at, index: Math.floor(number / conversations), delivery: null, url: 'x' },
    ...{ links: {}, content_sid: null },
  };
}

/** An export of messages of about so many bytes, a line each, always the same. @returns how many messages it has. */
export const makeExport = (folder: string, bytes: number): Promise<number> =>
  writeLines(join(folder, 'messages.ndjson'), bytes, messageOf);
