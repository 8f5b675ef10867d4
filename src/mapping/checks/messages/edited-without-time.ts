import type { MessageCheck } from '../check.ts';

export const editedWithoutTime: MessageCheck = {
  code: 'edited-without-time',
  severity: 'information',
  title: 'Edited at an unknown time',
  explanation: 'The export says that the message was edited, and not when.',
  remedy: 'Nothing: metadata marks it as edited, with time 0.',
  concerns: 'edit',
  find: ({ edited }) => (edited?.atMs === undefined ? 'no time of the edit' : undefined),
};
