import type { PersonCheck } from '../check.ts';

export const personWithoutName: PersonCheck = {
  code: 'person-without-name',
  severity: 'information',
  title: 'People without a name',
  explanation: 'The person is described and shown by id, because the export gives no name.',
  remedy: 'Add names to the export.',
  find: ({ name, id, isPlaceholder }) => (name === id && !isPlaceholder ? `"${id}" has no name` : undefined),
};
