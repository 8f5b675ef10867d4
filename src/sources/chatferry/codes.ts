import type { SourceCode } from '../kit/codes.ts';
import { docsLink } from '../../lib/docs-link.ts';

/** Codes of problems in lines of Chatferry's own format. */
export const chatferryCodes: readonly SourceCode[] = [
  {
    code: 'invalid-line',
    severity: 'blocks',
    title: 'Lines that do not fit the format',
    explanation: 'The line lacks something that the format wants, or has another type.',
    remedy: `Correct the line; ${docsLink('reference/sources/chatferry')} has every field.`,
  },
  {
    code: 'json-unreadable',
    severity: 'blocks',
    title: 'Files that cannot be read to the end',
    explanation: 'Reading stopped in the middle of the file. Rows before that point are read, the rest counts as one.',
    remedy: 'Check the disk or the archive, and export again.',
  },
  {
    code: 'described-late',
    severity: 'information',
    title: 'People described after their messages',
    explanation: 'People described after messages that name them: those messages show them by id.',
    remedy: 'Put people first in the file.',
  },
  {
    code: 'too-large',
    severity: 'blocks',
    title: 'Records that are too large',
    explanation: 'The record is larger than a line of the format may be.',
    remedy: 'Check the record: a file may be embedded in it.',
  },
  {
    code: 'other-source',
    severity: 'blocks',
    title: 'Records of another source',
    explanation: 'The file holds records of several sources: a store belongs to one.',
    remedy: 'Split the file by source, and use a store for each.',
  },
  {
    code: 'other-workspace',
    severity: 'blocks',
    title: 'Records of another workspace',
    explanation: 'The file holds records of several workspaces: a store belongs to one.',
    remedy: 'Split the file by workspace, and use a store for each.',
  },
];
