import { badRow, note, type SourceCode } from '../kit/codes.ts';
import { docsLink } from '../../lib/docs-link.ts';

/** Codes of problems in lines of Chatferry's own format. */
export const chatferryCodes: readonly SourceCode[] = [
  badRow(
    'invalid-line',
    'Lines that do not fit the format',
    'The line lacks something that the format wants, or has another type.',
    `Correct the line; ${docsLink('reference/sources/chatferry')} has every field.`,
  ),
  badRow(
    'json-unreadable',
    'Files that cannot be read to the end',
    'Reading stopped in the middle of the file. Rows before that point are read, the rest counts as one.',
    'Check the disk or the archive, and export again.',
  ),
  note(
    'described-late',
    'People described after their messages',
    'People described after messages that name them: those messages show them by id.',
    'Put people first in the file.',
  ),
  badRow(
    'too-large',
    'Records that are too large',
    'The record is larger than a line of the format may be.',
    'Check the record: a file may be embedded in it.',
  ),
  badRow(
    'other-source',
    'Records of another source',
    'The file holds records of several sources: a store belongs to one.',
    'Split the file by source, and use a store for each.',
  ),
  badRow(
    'other-workspace',
    'Records of another workspace',
    'The file holds records of several workspaces: a store belongs to one.',
    'Split the file by workspace, and use a store for each.',
  ),
];
