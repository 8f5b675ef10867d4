import type { ErrorCode } from '../../src/service/operation.ts';
import type { Scene } from './service-scene.ts';

export type DirectoryOperation = 'importUsers' | 'importGroups' | 'importMembers';

type Item = readonly [key: string, item: Readonly<Record<string, unknown>>];

const fields = { importUsers: 'users', importGroups: 'groups', importMembers: 'members' } as const;

const user = (uid: string, changes: object = {}): Item => [uid, { uid, name: uid, ...changes }];
const group = (guid: string, changes: object = {}): Item => [guid, { guid, name: guid, type: 'public', ...changes }];
const member = (guid: string, uid: string, changes: object = {}): Item => {
  const memberId = `${guid}_member_${uid}`;
  return [memberId, { memberId, guid, uid, joinedAt: Math.floor(Date.now() / 1000), ...changes }];
};

/** An item that is accepted. Nothing has to be made before. */
export const importable = {
  field: (operation: DirectoryOperation) => fields[operation],
  importUsers: ({ nobody }: Scene) => user(`${nobody}-2`),
  importGroups: ({ nobody }: Scene) => group(`${nobody}-2`),
  importMembers: (scene: Scene) => member(scene.group, scene.eve),
};

/** Every code that an import documents for single items, with an item that is refused with it. */
export const directoryRefusals: Readonly<
  Record<DirectoryOperation, Readonly<Partial<Record<ErrorCode, (scene: Scene) => Item | Promise<Item>>>>>
> = {
  importUsers: {
    ERR_UID_ALREADY_EXISTS: ({ ann }) => user(ann),
    ERR_BAD_REQUEST: ({ nobody }) => [nobody, { uid: `${nobody}-other`, name: 'Under another key' }],
    ERR_IMPORT_INVALID_USER_FORMAT: ({ nobody }) => user(nobody, { name: 5 }),
    ERR_ROLE_NOT_FOUND: ({ nobody }) => user(nobody, { role: nobody }),
  },
  importGroups: {
    ERR_GUID_ALREADY_EXISTS: (scene) => group(scene.group),
    ERR_BAD_REQUEST: ({ nobody }) => group(nobody, { description: 'x'.repeat(256) }),
    ERR_IMPORT_INVALID_GROUP_FORMAT: ({ nobody }) => group(nobody, { type: 'secret' }),
    ERR_UID_NOT_FOUND: ({ nobody }) => group(nobody, { owner: nobody }),
  },
  importMembers: {
    ERR_ALREADY_JOINED: async (scene) => {
      const [key, item] = member(scene.group, scene.bob);
      await scene.send('importMembers', { body: { members: { [key]: item } } });
      return [key, item];
    },
    ERR_IMPORT_INVALID_JOINEDAT: (scene) =>
      member(scene.group, scene.dan, { joinedAt: Math.floor(Date.now() / 1000) + 3600 }),
    ERR_BAD_REQUEST: (scene) => member(scene.group, scene.dan, { memberId: 'another' }),
    ERR_IMPORT_INVALID_MEMBER_FORMAT: (scene) => member(scene.group, scene.dan, { scope: 'king' }),
    ERR_UID_NOT_FOUND: (scene) => member(scene.group, scene.nobody),
    ERR_GUID_NOT_FOUND: ({ nobody, dan }) => member(nobody, dan),
  },
};
