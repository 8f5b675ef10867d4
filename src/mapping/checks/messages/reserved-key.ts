import type { MessageCheck } from '../check.ts';

export const reservedKey: MessageCheck = {
  code: 'reserved-key',
  severity: 'information',
  title: 'Custom facts with reserved names',
  explanation: 'The service uses the keys @injected and @private in metadata for itself.',
  remedy: 'Rename the fact in the mapping of the source.',
  concerns: 'own facts',
  find: ({ custom }) => custom && Object.keys(custom).find((name) => name === '@injected' || name === '@private'),
};
