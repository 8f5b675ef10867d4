import type { PersonCheck } from '../check.ts';

export const uidAltered: PersonCheck = {
  code: 'uid-altered',
  severity: 'decision',
  title: 'Uids that had to be altered',
  explanation:
    'The id of the export has characters that a uid cannot have, or is too long: the uid ends in a hash. If your app knows its users by other ids, they would not find their messages.',
  remedy: 'Give a template or the uids of your app in the mapping (people.uid, people.uids).',
  find: ({ id, isPlaceholder }, { uid }) =>
    !isPlaceholder && /-[a-z2-7]{8}$/.test(uid) && uid !== id.toLowerCase() ? `"${id}" becomes "${uid}"` : undefined,
};
