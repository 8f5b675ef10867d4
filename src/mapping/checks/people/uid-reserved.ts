import type { PersonCheck } from '../check.ts';

export const uidReserved: PersonCheck = {
  code: 'uid-reserved',
  severity: 'decision',
  title: 'Uids that the service uses itself',
  explanation: 'The service acts in the name of "app_system" when nobody does.',
  remedy: 'Give the person another uid in the mapping (people.uids).',
  find: (_, { uid }) => (uid === 'app_system' ? `uid "${uid}"` : undefined),
};
