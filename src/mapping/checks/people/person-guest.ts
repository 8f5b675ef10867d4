import type { PersonCheck } from '../check.ts';

export const personGuest: PersonCheck = {
  code: 'person-guest',
  severity: 'information',
  title: 'Guests',
  explanation: 'The service has no guests: the person becomes a user like any other.',
  remedy: 'Check what guests may see at the destination before the switch.',
  find: ({ id, role }) => (role?.endsWith('guest') ? `"${id}" is a ${role}` : undefined),
};
