import type { MessageCheck } from '../check.ts';

export const editedBeforeSent: MessageCheck = {
  code: 'edited-before-sent',
  severity: 'information',
  title: 'Edited before they were sent',
  explanation: 'The time of the edit lies before the time of the message: one of the two is wrong.',
  remedy: 'Check the time format of the source.',
  concerns: 'edit',
  find: ({ edited, sentAtMs }) =>
    edited?.atMs !== undefined && edited.atMs < Math.floor(sentAtMs / 1000) * 1000
      ? `edited ${Math.ceil((sentAtMs - edited.atMs) / 1000)} s before`
      : undefined,
};
