import type { BlockingCheck } from '../check.ts';

export const blankText: BlockingCheck = {
  code: 'blank-text',
  severity: 'blocks',
  title: 'Blank messages',
  explanation: 'The message has neither text nor a file with an address. The service refuses blank messages.',
  remedy: 'Set messages.empty: skip in the mapping to leave them out by rule.',
  find({ text, attachmentCount }) {
    return attachmentCount === 0 && text.trim() === '' ? 'neither text nor a usable attachment' : undefined;
  },
};
