import type { z } from 'zod';
import {
  type ImportGroup,
  importGroup,
  type ImportMember,
  importMember,
  type ImportUser,
  importUser,
} from '../../service/import-directory.ts';
import { idPattern } from '../../service/profiles.ts';
import type { TransportAnswer } from '../../service/transport.ts';
import { type Complaint, toDetails, unknownGroup, unknownUser } from '../answers.ts';
import { defaultRole } from '../data/roles.ts';
import { invalid, tooLong } from '../rules/check-content.ts';
import { answerItems, readItems } from '../rules/import-body.ts';
import { depthMax, isDeeperThan } from '../rules/item-shape.ts';
import type { Service } from './service.ts';

/** The stored item as it is answered, or why it is not stored. */
type Stored = object | Complaint;

/** One kind of item of an import that brings no messages. */
interface Kind<Item> {
  readonly field: 'users' | 'groups' | 'members';
  readonly format:
    | 'ERR_IMPORT_INVALID_USER_FORMAT'
    | 'ERR_IMPORT_INVALID_GROUP_FORMAT'
    | 'ERR_IMPORT_INVALID_MEMBER_FORMAT';
  readonly schema: z.ZodType;
  readonly store: (service: Service, key: string, item: Item) => Stored;
}

/** Handles an import of one kind: each item is stored, or answered with why it is not. */
const importing =
  <Item>({ field, format, schema, store }: Kind<Item>) =>
  (service: Service, { text }: { readonly text: string }): TransportAnswer => {
    const read = readItems(text, { field, format, itemsMax: service.rules.itemsMax });
    if ('status' in read) return read;
    return answerItems(
      Object.entries(read.items).map(([key, item]) => {
        const { error } = schema.safeParse(item);
        const complaint = error
          ? { code: format, message: 'The item did not pass the validation', details: toDetails(error.issues) }
          : isDeeperThan(item, depthMax)
            ? invalid('metadata', `expected ${depthMax} levels at most`)
            : undefined;
        const stored = complaint ?? store(service, key, item as Item);
        return [key, 'code' in stored ? (stored as Complaint) : `{"data":${JSON.stringify(stored)}}`];
      }),
    );
  };

export const importUsers = importing<ImportUser>({
  field: 'users',
  format: 'ERR_IMPORT_INVALID_USER_FORMAT',
  schema: importUser,
  store: storeUser,
});

export const importGroups = importing<ImportGroup>({
  field: 'groups',
  format: 'ERR_IMPORT_INVALID_GROUP_FORMAT',
  schema: importGroup,
  store: storeGroup,
});

export const importMembers = importing<ImportMember>({
  field: 'members',
  format: 'ERR_IMPORT_INVALID_MEMBER_FORMAT',
  schema: importMember,
  store: storeMember,
});

function storeUser(service: Service, key: string, item: ImportUser): Stored {
  const { people, roles, rules } = service;
  const uid = item.uid.toLowerCase();
  const fault = checkId('uid', uid, key) ?? checkTexts(service, item);
  if (fault) return fault;
  if (people.find(uid) !== undefined)
    return { code: 'ERR_UID_ALREADY_EXISTS', message: `The user "${uid}" exists already` };
  const { role = defaultRole, deactivatedAt } = item;
  if (!roles.has(role.toLowerCase()))
    return { code: 'ERR_ROLE_NOT_FOUND', message: `The role "${role}" does not exist` };
  people.save(uid, item, service.nowSeconds());
  if (deactivatedAt !== undefined && rules.importsDeactivated) people.deactivate(uid, Number(deactivatedAt));
  return JSON.parse(people.find(uid)!) as object;
}

function storeGroup(service: Service, key: string, item: ImportGroup): Stored {
  const { groups, people } = service;
  const guid = item.guid.toLowerCase();
  const fault = checkId('guid', guid, key) ?? checkTexts(service, item);
  if (fault) return fault;
  if (groups.find(guid) !== undefined)
    return { code: 'ERR_GUID_ALREADY_EXISTS', message: `The group "${guid}" exists already` };
  const now = service.nowSeconds();
  const owner = item.owner?.toLowerCase();
  if (item.groupOwnerDetails) people.save(item.groupOwnerDetails.uid.toLowerCase(), item.groupOwnerDetails, now);
  if (owner !== undefined && !people.isActive(owner)) return unknownUser(owner);
  groups.save(guid, item, now);
  if (owner !== undefined) groups.join(guid, owner, Number(item.createdAt ?? now), 'admin');
  return JSON.parse(groups.find(guid)!) as object;
}

function storeMember(service: Service, key: string, item: ImportMember): Stored {
  const { groups, people } = service;
  const [guid, uid, joinedAt] = [item.guid.toLowerCase(), item.uid.toLowerCase(), Number(item.joinedAt)];
  if (item.memberId !== key || key.toLowerCase() !== `${guid}_member_${uid}`)
    return invalid('memberId', `expected the key, which is "${guid}_member_${uid}"`);
  const json = groups.find(guid);
  if (json === undefined) return unknownGroup(guid);
  if (!people.isActive(uid)) return unknownUser(uid);
  if (groups.membership(guid, uid) || groups.isBanned(guid, uid))
    return { code: 'ERR_ALREADY_JOINED', message: `"${uid}" is a member of "${guid}" already, or banned` };
  const { createdAt = 0 } = JSON.parse(json) as { readonly createdAt?: number };
  if (joinedAt < createdAt || joinedAt > service.nowSeconds())
    return {
      code: 'ERR_IMPORT_INVALID_JOINEDAT',
      message: '"joinedAt" is not between the "createdAt" of the group and now',
    };
  if (item.isBanned === true) groups.ban(guid, uid);
  else groups.join(guid, uid, joinedAt, item.scope);
  return { guid, uid, scope: groups.membership(guid, uid)?.scope ?? 'participant', joinedAt };
}

const checkId = (field: string, id: string, key: string): Complaint | undefined =>
  idPattern.test(id) && key.toLowerCase() === id
    ? undefined
    : invalid(field, 'expected its key: 1 to 100 characters of a-z, 0-9, - and _');

function checkTexts({ rules }: Service, { name, ...item }: ImportUser | ImportGroup): Complaint | undefined {
  const { nameLengthMax = Infinity, descriptionLengthMax = Infinity, tagsMax = Infinity } = rules;
  const { description = '', tags = [] } = item as { readonly description?: string; readonly tags?: readonly string[] };
  if (name.length > nameLengthMax) return tooLong('name', nameLengthMax);
  if (description.length > descriptionLengthMax) return tooLong('description', descriptionLengthMax);
  return tags.length > tagsMax ? invalid('tags', `expected ${tagsMax} tags at most`) : undefined;
}
