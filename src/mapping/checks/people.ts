import { asks, outside, runs, sets } from '../../model/option.ts';
import { splitAddresses } from '../../lib/text/addresses.ts';
import { formatCount } from '../../lib/text/count.ts';
import { nameLengthMax } from '../../service/profiles.ts';
import { decisionCheck, noteCheck, type PersonCheck } from './check.ts';

/**
 * Whether an id is fit to be shown: platforms such as IRC and Instagram have names and no other ids. It has a letter, and
 * nothing of a number, an address or a generated id: `ines`, `Inès Bruun 2`, but not `U012AB3CD`, `ines@example.com`, `+49 170 1234567`.
 */
const readsLikeName = (id: string): boolean => /\p{L}/u.test(id) && !/[@:/]|\d.*\p{L}|\d{5}/su.test(id);

export const personChecks: readonly PersonCheck[] = [
  noteCheck({
    code: 'person-name-shortened',
    title: 'Names of people over 100 characters',
    explanation: 'The destination takes names of at most 100 characters (properties and constraints page, 2026-11).',
    remedy: 'Nothing: the first 100 are sent, with an ellipsis.',
    find: ({ name }) =>
      name.length > nameLengthMax ? `${formatCount(name.length)} characters, ${nameLengthMax} allowed` : undefined,
  }),
  noteCheck({
    code: 'person-without-name',
    title: 'People without a name',
    explanation:
      'The person is described and shown by id, because the export gives no name, and the id does not read like one: a number, an address or generated characters.',
    remedy: 'Add names to the export.',
    find: ({ name, id, isPlaceholder }, { isName }) =>
      name === id && !isPlaceholder && !isName(id) && !readsLikeName(id) ? `"${id}" has no name` : undefined,
  }),
  noteCheck({
    code: 'person-deactivated',
    title: 'People who are deactivated at the source',
    explanation: 'The person becomes an active user at the destination.',
    remedy: 'Deactivate them there after the move.',
    find: ({ name, isDeleted }) => (isDeleted ? `${name} is deactivated` : undefined),
  }),
  noteCheck({
    code: 'person-guest',
    title: 'Guests',
    explanation: 'The service has no guests: the person becomes a user like any other.',
    remedy: 'Check what guests may see at the destination before the cutover.',
    find: ({ id, role }) => (role?.endsWith('guest') ? `"${id}" is a ${role}` : undefined),
  }),
  noteCheck({
    code: 'person-created-in-future',
    title: 'People who were created in the future',
    explanation: 'The creation time of the person is in the future.',
    remedy: 'Check the time format of the source.',
    find: ({ createdAtMs }, { nowMs }) =>
      createdAtMs !== undefined && createdAtMs > nowMs ? `${createdAtMs} ms` : undefined,
  }),
  noteCheck({
    code: 'avatar-unusable',
    title: 'Pictures of people that cannot be used',
    explanation: 'The address of the picture is not one of the web, or has more than 3,000 characters.',
    remedy: 'Nothing: the person is created without a picture.',
    find: ({ avatarUrl }) =>
      avatarUrl !== undefined &&
      !(avatarUrl.length <= 3000 && /^https?:\/\//.test(avatarUrl) && URL.canParse(avatarUrl))
        ? avatarUrl.slice(0, 80)
        : undefined,
  }),
  decisionCheck({
    code: 'uid-reserved',
    title: 'Uids that the service uses itself',
    explanation: 'The service uses "app_system" for actions that no person takes.',
    about: 'person',
    question: 'Is it the service itself that wrote in the name of this person?',
    options: [
      asks('Give the person another id', 'people.uids', '{ U1: support }'),
      runs('Write a table of the people, to fill in the ids that your app has', 'people'),
    ],
    otherwise: 'their messages look like messages of the service itself',
    find: ({ name }, { uid }) => (uid === 'app_system' ? `${name} becomes "${uid}"` : undefined),
  }),
  decisionCheck({
    code: 'several-people',
    title: 'People who may be several',
    explanation: 'The id is a list of addresses or ids: the export has several people in one field.',
    about: 'person',
    question: 'Who wrote what several people stand behind?',
    options: [
      asks('Give it to one of the people', 'people.merge', '[[ada@example.com, "ada@example.com, ben@example.com"]]'),
      outside('Give each person a row or a field of their own in the export'),
    ],
    otherwise: 'they are one person, who exists nowhere',
    isOfPlaceholders: true,
    find: ({ id }) => {
      const { length } = splitAddresses(id);
      return length > 1 ? `"${id}" has ${formatCount(length)} addresses` : undefined;
    },
  }),
  decisionCheck({
    code: 'uid-altered',
    title: 'Uids that had to be altered',
    explanation:
      'The id of the export has characters that a uid cannot have, or is too long: the uid ends in a hash. If your app knows its users by other ids, they would not find their messages.',
    about: 'person',
    question: 'By which ids does your app know these people?',
    options: [
      asks('Make the ids by another pattern', 'people.uid', '{handle}'),
      runs('Write a table of the people, to fill in the ids that your app has', 'people'),
      sets('Keep the ids of the export, with a hash behind them', { 'people.uid': '{id}' }),
    ],
    otherwise: 'they get the uid with the hash, and an app that knows them by another id does not find their messages',
    find: ({ id, name, isPlaceholder }, { uid, hasHash }) =>
      !isPlaceholder && !hasHash && /-[a-z2-7]{8}$/.test(uid) && uid !== id.toLowerCase()
        ? `${name === id ? '' : `${name}, `}"${id}" becomes "${uid}"`
        : undefined,
  }),
];
