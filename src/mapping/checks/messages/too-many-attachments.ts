import type { MessageCheck } from '../check.ts';

export const tooManyAttachments: MessageCheck = {
  code: 'too-many-attachments',
  severity: 'decision',
  title: 'More than ten files in one message',
  explanation: 'Clients of the service show at most 10 files of a message (client settings, 2026-11).',
  remedy: 'Nothing, if it may be so: all files are sent; else post those that are not shown once more after the move.',
  concerns: 'attachments',
  find: ({ attachments }) => (attachments!.length > 10 ? `${attachments!.length} files, 10 shown` : undefined),
};
