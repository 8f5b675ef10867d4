import type { PersonCheck } from '../check.ts';

export const personDeactivated: PersonCheck = {
  code: 'person-deactivated',
  severity: 'information',
  title: 'People who are deactivated at the source',
  explanation: 'The person becomes an active user at the destination.',
  remedy: 'Deactivate them there after the move.',
  find: ({ name, isDeleted }) => (isDeleted ? `${name} is deactivated` : undefined),
};
