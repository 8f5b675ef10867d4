import type { MessageCheck } from '../check.ts';

const hidden = /^(?:is[_-]?)?(?:private|internal|ephemeral|whisper|hidden|restricted)(?:[_-]?note)?$/i;

export const privateNote: MessageCheck = {
  code: 'private-note',
  severity: 'decision',
  title: 'Private notes',
  explanation:
    'The export marks the message as seen by some people only (an internal note, an ephemeral or whispered message). At the destination every member of the conversation would read it.',
  remedy: 'Leave such messages out: mark them in the table with skipWhen, or remove them from the export.',
  concerns: 'own facts',
  find({ custom }) {
    if (custom === undefined) return undefined;
    const key = Object.keys(custom).find((name) => hidden.test(name) && custom[name] === true);
    return key && `marked "${key}"`;
  },
};
