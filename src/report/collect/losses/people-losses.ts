import type { LossCounts, LossKind } from './loss.ts';

const inMetadata = (key: string | undefined, { importsPeople }: LossCounts): string | undefined =>
  importsPeople && key !== undefined ? `in metadata.${key} of those who come` : undefined;

/** Losses of people: at the destination everyone is an ordinary user with a name and an avatar. */
export const peopleLosses: readonly LossKind[] = [
  {
    name: 'roles',
    what: 'owners and admins of the workspace',
    count: ({ people }) => people.officers,
    becomes: () => 'ordinary users; roles are not migrated',
  },
  {
    name: 'guests',
    what: 'people who could see a part of the workspace only',
    count: ({ people }) => people.guests,
    becomes: ({ people }) =>
      people.guests === 'skip'
        ? 'their messages are left out by people.guests: skip'
        : 'ordinary users; the limits of their access are not migrated',
  },
  {
    name: 'deactivated people',
    what: 'people with a deactivated or deleted account',
    count: ({ people, actions }) => people.deleted - (actions.deactivations ?? 0),
    becomes: ({ people }) => {
      if (people.deleted === 'skip') return 'their messages are left out by people.deleted: skip';
      const name = people.deleted === 'placeholder' ? 'users called "Deleted user"' : 'users with their name';
      return `${name}; that they left is not migrated`;
    },
  },
  {
    name: 'friends',
    what: 'pairs of friends',
    count: ({ relations, actions }) => relations.friend - (actions.friends ?? 0),
    becomes: () => 'not migrated without --actions friends',
  },
  {
    name: 'blocks',
    what: 'people who are blocked by another person',
    count: ({ relations, actions }) => relations.block - (actions.blocks ?? 0),
    becomes: () => 'not migrated without --actions blocks',
  },
  {
    name: 'placeholders',
    what: 'unknown people: messages name them, no file of the export describes them',
    count: ({ people }) => people.placeholders,
    becomes: ({ people: { unknownAuthors } }) =>
      unknownAuthors === 'placeholder'
        ? 'users who are called what their messages call them, else by their id'
        : `their messages are ${unknownAuthors === 'skip' ? 'left out' : 'invalid'} by people.unknownAuthors: ${unknownAuthors}`,
  },
  {
    name: 'e-mail addresses',
    what: 'people with an e-mail address in the export',
    count: ({ people }) => people.emails,
    becomes: ({ people }, counts) =>
      inMetadata(people.emailAs, counts) ??
      (people.uid.includes('{email}') ? 'not migrated, but for their uids' : 'not migrated'),
  },
  {
    name: 'telephone numbers',
    what: 'people with a telephone number in the export that is neither their id nor their name',
    count: ({ people }) => people.phones,
    becomes: ({ people }, counts) => inMetadata(people.phoneAs, counts) ?? 'not migrated',
  },
  {
    name: 'handles',
    what: 'people with a login name that is not their name',
    count: ({ people }) => people.handles,
    becomes: ({ people }) => (people.uid.includes('{handle}') ? 'not migrated, but for their uids' : 'not migrated'),
  },
  {
    name: 'details of profiles',
    what: 'values in profiles of people: titles, time zones, status, fields of their own',
    count: ({ found }) => found.get('profile-detail-not-migrated') ?? 0,
    becomes: () => 'not migrated',
  },
  {
    name: 'avatars',
    what: 'people whose avatar has no address that a browser can open',
    count: ({ found }) => found.get('avatar-unusable') ?? 0,
    becomes: () => 'users without an avatar',
  },
  {
    name: 'tags, links and roles of people',
    what: 'people who have any of them',
    count: ({ found }) => found.get('user-details-lost') ?? 0,
    becomes: () => 'not migrated: an import has no field for them',
  },
  {
    name: 'large metadata',
    what: 'people and groups whose metadata has more than 4,000 characters',
    count: ({ found }) => found.get('metadata-too-large') ?? 0,
    becomes: () => 'not migrated: their details travel with a message',
  },
  {
    name: 'shortened names',
    what: 'names of people and conversations that are longer than the service takes',
    count: ({ found }) => (found.get('person-name-shortened') ?? 0) + (found.get('conversation-name-shortened') ?? 0),
    becomes: () => 'cut, and ended by an ellipsis',
  },
  {
    name: 'people who never wrote',
    what: 'people with no sent message and no direct conversation that is sent',
    count: ({ silentPeople }) => silentPeople,
    becomes: ({ people }, { importsPeople }) => {
      if (!importsPeople) return 'not migrated: people come with their messages';
      return people.everyone
        ? 'not migrated: left out by the mapping, or refused by the service'
        : 'not migrated; people.everyone: true imports the whole directory';
    },
  },
  {
    name: 'silent members',
    what: 'memberships of people who never wrote in the group',
    count: ({ silentMembers }) => silentMembers,
    becomes: (_, { importsPeople }) =>
      importsPeople
        ? 'not migrated: left out by the mapping, described by no file, or refused by the service'
        : 'not migrated: the service has no operation here that adds members, so the group may stay invisible to them',
  },
];

export const conversationLosses: readonly LossKind[] = [
  {
    name: 'archived conversations',
    what: 'conversations that were closed for writing',
    count: ({ conversations }) => conversations.archived,
    becomes: () => 'open again: the service has nothing like it',
  },
  {
    name: 'direct conversations as groups',
    what: 'direct conversations with a third author, with only one person, or that exist twice',
    count: ({ conversations }) => conversations.directAsGroup,
    becomes: () => 'private groups, each with its own id',
  },
  {
    name: 'group conversations without a channel',
    what: 'direct conversations of three or more',
    count: ({ conversations }) => conversations.groupDirect,
    becomes: () => 'private groups; a group without a name is named after its members',
  },
  {
    name: 'creators',
    what: 'groups whose creator the export names',
    count: ({ conversations }) => conversations.creatorsLost,
    becomes: () => 'groups without an owner; conversations.owner: creator keeps who made them',
  },
  {
    name: 'topics',
    what: 'groups with a topic in addition to their description',
    count: ({ conversations }) => conversations.topicsLost,
    becomes: () => 'not migrated: a group has one description',
  },
  {
    name: 'details of direct conversations',
    what: 'one-to-one conversations with a name, a topic or a description',
    count: ({ conversations }) => conversations.directDetails,
    becomes: () => 'not migrated: a one-to-one chat is called after the other person',
  },
  {
    name: 'tags of groups',
    what: 'groups that have tags',
    count: ({ found }) => found.get('group-tags-lost') ?? 0,
    becomes: () => 'not migrated: an import has no field for them',
  },
  {
    name: 'passwords of groups',
    what: 'groups that ask for a password',
    count: ({ found }) => found.get('password-group') ?? 0,
    becomes: () => 'private groups, unless conversations.types sets another type: no export contains the password',
  },
  {
    name: 'shortened descriptions',
    what: 'descriptions of groups that are longer than the service takes',
    count: ({ found }) => found.get('description-shortened') ?? 0,
    becomes: () => 'cut, and ended by an ellipsis',
  },
];
