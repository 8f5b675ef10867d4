import type { ErrorCode } from '../../src/service/operation.ts';
import type { OperationName } from '../../src/service/operations.ts';
import type { RawCall, Scene } from './service-scene.ts';

/** Makes whatever the refusal needs, and the call that is refused. */
type Refused = (scene: Scene) => RawCall | Promise<RawCall>;

type Refusals = Readonly<Partial<Record<OperationName, Readonly<Partial<Record<ErrorCode, Refused>>>>>>;

const behalf = (uid: string) => ({ headers: { onBehalfOf: uid } });

/** Why a message is not sent: by the body, and by who sends it. */
function sendRefusals(envelope: (scene: Scene) => RawCall): Readonly<Partial<Record<ErrorCode, Refused>>> {
  const body =
    (changes: Readonly<Record<string, unknown>> | ((scene: Scene) => Readonly<Record<string, unknown>>)): Refused =>
    (scene) => ({
      ...envelope(scene),
      body: {
        receiver: scene.bob,
        receiverType: 'user',
        category: 'message',
        type: 'text',
        data: { text: 'Hello' },
        ...(typeof changes === 'function' ? changes(scene) : changes),
      },
    });
  return {
    ERR_EMPTY_RECEIVER: body({ receiver: '' }),
    ERR_INVALID_RECEIVER_TYPE: body({ receiverType: 'channel' }),
    ERR_UID_NOT_FOUND: body(({ nobody }) => ({ receiver: nobody })),
    ERR_GUID_NOT_FOUND: body(({ nobody }) => ({ receiver: nobody, receiverType: 'group' })),
    ERR_INVALID_MESSAGE_CATEGORY: body({ category: 'letter' }),
    ERR_INVALID_MESSAGE_TYPE: body({ type: 'smoke' }),
    ERR_INVALID_MESSAGE_DATA: body({ data: 'Hello' }),
    ERR_INVALID_MESSAGE_TEXT: body({ data: { text: 5 } }),
    ERR_EMPTY_MESSAGE_TEXT: body({ data: { text: ' ' } }),
    ERR_EMPTY_MESSAGE_FILE: body({ type: 'image', data: { attachments: [] } }),
    ERR_INVALID_MEDIA_MESSAGE: body({ type: 'image', data: { attachments: [{ name: 'no address' }] } }),
    ERR_EMPTY_CUSTOM_DATA: body({ category: 'custom', type: 'poll', data: {} }),
    ERR_INVALID_CUSTOM_DATA: body({ category: 'custom', type: 'poll', data: { customData: 5 } }),
    ERR_INVALID_METADATA: body({ data: { text: 'Hello', metadata: 5 } }),
    ERR_IMPORT_MUID_ALREADY_EXISTS: async (scene) => {
      const muid = scene.muid();
      await scene.client.sendMessage({ onBehalfOf: scene.ann, body: { ...hello(scene.bob), muid } });
      return body({ muid })(scene);
    },
  };
}

const asAnn = (scene: Scene): RawCall => behalf(scene.ann);
const asBot = ({ service: { demo } }: Scene): RawCall => ({ params: { uid: demo!.bot } });

const hello = (receiver: string, receiverType: 'user' | 'group' = 'user') => ({
  receiver,
  receiverType,
  data: { text: 'Hello' },
});

/** Every code that an operation documents for a request as a whole, besides those that all operations share. */
export const refusals: Refusals = {
  updateApiKey: {
    ERR_APIKEY_NOT_FOUND: () => ({ params: { apiKey: '0'.repeat(40) }, body: { name: 'x' } }),
    ERR_APIKEY_NO_SELF_ACTION: ({ service }) => ({ params: { apiKey: service.apiKey }, body: { name: 'x' } }),
  },
  updateAuthToken: {
    ERR_UID_NOT_FOUND: ({ nobody }) => ({ params: { uid: nobody, authToken: 'x' }, body: {} }),
    ERR_AUTH_TOKEN_NOT_FOUND: ({ ann }) => ({ params: { uid: ann, authToken: 'x' }, body: {} }),
    ERR_AUTHTOKEN_NOT_ACCESSIBLE: ({ ann, service: { demo } }) => ({
      params: { uid: ann, authToken: demo!.authToken },
      body: {},
    }),
  },
  addFriends: { ERR_UID_NOT_FOUND: ({ nobody, bob }) => ({ params: { uid: nobody }, body: { accepted: [bob] } }) },
  removeFriends: {
    ERR_UID_NOT_FOUND: ({ nobody, bob }) => ({ params: { uid: nobody }, body: { friends: [bob] } }),
    ERR_NOT_A_FRIEND: ({ ann, bob }) => ({ params: { uid: ann }, body: { friends: [bob] } }),
  },
  blockUsers: { ERR_UID_NOT_FOUND: ({ nobody, bob }) => ({ params: { uid: nobody }, body: { blockedUids: [bob] } }) },
  unblockUsers: { ERR_UID_NOT_FOUND: ({ nobody, bob }) => ({ params: { uid: nobody }, body: { blockedUids: [bob] } }) },
  listRestrictedFeatures: { ERR_ROLE_NOT_FOUND: ({ nobody }) => ({ params: { role: nobody } }) },
  allowFeatures: { ERR_ROLE_NOT_FOUND: ({ nobody }) => ({ params: { role: nobody }, body: { allowAll: true } }) },
  deleteRole: {
    ERR_ROLE_NOT_FOUND: ({ nobody }) => ({ params: { role: nobody } }),
    ERR_ROLE_DELETE_DENIED: () => ({ params: { role: 'default' } }),
  },
  getGroup: {
    ERR_GUID_NOT_FOUND: ({ nobody }) => ({ params: { guid: nobody } }),
    ERR_UID_NOT_FOUND: ({ group, nobody }) => ({ params: { guid: group }, ...behalf(nobody) }),
    ERR_GROUP_NOT_JOINED: ({ group, dan }) => ({ params: { guid: group }, ...behalf(dan) }),
  },
  deleteGroup: {
    ERR_GUID_NOT_FOUND: ({ nobody }) => ({ params: { guid: nobody } }),
    ERR_UID_NOT_FOUND: ({ group, nobody }) => ({ params: { guid: group }, ...behalf(nobody) }),
    ERR_GROUP_NO_ADMIN_SCOPE: ({ group, bob }) => ({ params: { guid: group }, ...behalf(bob) }),
  },
  kickMember: {
    ERR_GUID_NOT_FOUND: ({ nobody, bob }) => ({ params: { guid: nobody, uid: bob } }),
    ERR_UID_NOT_FOUND: ({ group, nobody }) => ({ params: { guid: group, uid: nobody } }),
    ERR_NOT_A_MEMBER: ({ group, dan }) => ({ params: { guid: group, uid: dan } }),
    ERR_GROUP_NOT_JOINED: ({ group, bob, dan }) => ({ params: { guid: group, uid: bob }, ...behalf(dan) }),
    ERR_GROUP_NO_MODERATOR_SCOPE: ({ group, bob, cleo }) => ({ params: { guid: group, uid: cleo }, ...behalf(bob) }),
    ERR_GROUP_NO_CLEARANCE: ({ group, ann, bob }) => ({ params: { guid: group, uid: ann }, ...behalf(bob) }),
    ERR_GROUP_NO_SELF_ACTION: ({ group, bob }) => ({ params: { guid: group, uid: bob }, ...behalf(bob) }),
  },
  sendMessage: {
    ...sendRefusals(asAnn),
    ERR_GROUP_NOT_JOINED: ({ group, dan }) => ({ ...behalf(dan), body: hello(group, 'group') }),
    ERR_BLOCKED_RECEIVER: async ({ client, bob, dan }) => {
      await client.blockUsers({ uid: dan, body: { blockedUids: [bob] } });
      return { ...behalf(dan), body: hello(bob) };
    },
    ERR_BLOCKED_SENDER: async ({ client, cleo, dan }) => {
      await client.blockUsers({ uid: dan, body: { blockedUids: [cleo] } });
      return { ...behalf(cleo), body: hello(dan) };
    },
  },
  sendBotMessage: {
    ERR_BOT_NOT_FOUND: ({ ann, bob }) => ({ params: { uid: ann }, body: hello(bob) }),
    ...sendRefusals(asBot),
    ERR_BLOCKED_RECEIVER: async ({ client, service: { demo }, eve }) => {
      await client.blockUsers({ uid: demo!.bot, body: { blockedUids: [eve] } });
      return { params: { uid: demo!.bot }, body: hello(eve) };
    },
    ERR_BLOCKED_SENDER: async ({ client, service: { demo }, dan }) => {
      await client.blockUsers({ uid: dan, body: { blockedUids: [demo!.bot] } });
      return { params: { uid: demo!.bot }, body: hello(dan) };
    },
  },
  importMessages: { ERR_IMPORT_INVALID_MESSAGE_FORMAT: () => ({ body: { messages: [] } }) },
  importUsers: { ERR_IMPORT_INVALID_USER_FORMAT: () => ({ body: { users: [] } }) },
  importGroups: { ERR_IMPORT_INVALID_GROUP_FORMAT: () => ({ body: { groups: [] } }) },
  importMembers: { ERR_IMPORT_INVALID_MEMBER_FORMAT: () => ({ body: { members: 'all' } }) },
  listMessages: { ERR_UID_NOT_FOUND: ({ nobody }) => behalf(nobody) },
  listUserMessages: { ERR_UID_NOT_FOUND: ({ nobody }) => ({ params: { uid: nobody } }) },
  addReaction: {
    ERR_UID_NOT_FOUND: ({ nobody }) => ({ params: { id: '1', reaction: '👍' }, ...behalf(nobody) }),
    ERR_MESSAGE_ID_NOT_FOUND: ({ ann }) => ({ params: { id: '999999999999', reaction: '👍' }, ...behalf(ann) }),
    ERR_MESSAGE_NO_ACCESS: async (scene) => {
      const { data } = await scene.client.listMessages({ conversationId: `group_${scene.group}`, limit: 1 });
      return { params: { id: data[0]!.id, reaction: '👍' }, ...behalf(scene.dan) };
    },
  },
  deleteConversation: {
    ERR_UID_NOT_FOUND: ({ nobody, group }) => ({ params: { conversationId: `group_${group}` }, ...behalf(nobody) }),
    ERR_CONVERSATION_NOT_FOUND: ({ ann, nobody }) => ({
      params: { conversationId: `group_${nobody}` },
      ...behalf(ann),
    }),
    ERR_CONVERSATION_NOT_ACCESSIBLE: ({ dan, group }) => ({
      params: { conversationId: `group_${group}` },
      ...behalf(dan),
    }),
  },
  getContactDetails: { ERR_UID_NOT_FOUND: ({ nobody }) => behalf(nobody) },
  deleteContactDetails: { ERR_UID_NOT_FOUND: ({ nobody }) => behalf(nobody) },
};

/** Documented, and never answered by the sandbox: with the reason. */
export const unreachable: Readonly<Partial<Record<OperationName, Readonly<Partial<Record<ErrorCode, string>>>>>> = {
  sendBotMessage: { ERR_GROUP_NOT_JOINED: 'a bot may write to every group' },
};

/** Changes that turn an accepted message of an import into one with this error. */
export const itemRefusals: Readonly<
  Partial<
    Record<ErrorCode, (scene: Scene) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>>
  >
> = {
  ERR_IMPORT_MUID_ALREADY_EXISTS: async (scene) => {
    const item = scene.importItem();
    await scene.client.importMessages({ body: { messages: { [item.muid]: item } } });
    return { muid: item.muid };
  },
  ERR_BAD_REQUEST: () => ({ sentAt: 'yesterday' }),
  ERR_EMPTY_RECEIVER: () => ({ receiver: '' }),
  ERR_INVALID_RECEIVER_TYPE: () => ({ receiverType: 'channel' }),
  ERR_INVALID_MESSAGE_CATEGORY: () => ({ category: 'letter' }),
  ERR_INVALID_MESSAGE_TYPE: () => ({ type: 'smoke' }),
  ERR_INVALID_MESSAGE_DATA: () => ({ data: 'Hello' }),
  ERR_INVALID_MESSAGE_TEXT: () => ({ data: { text: 5 } }),
  ERR_INVALID_METADATA: () => ({ data: { text: 'Hello', metadata: 5 } }),
  ERR_INVALID_MEDIA_MESSAGE: () => ({ type: 'image', data: { attachments: [{ name: 'no address' }] } }),
  ERR_EMPTY_MESSAGE_TEXT: () => ({ data: { text: ' ' } }),
  ERR_EMPTY_MESSAGE_FILE: () => ({ type: 'image', data: { attachments: [] } }),
  ERR_EMPTY_CUSTOM_DATA: () => ({ category: 'custom', type: 'poll', data: {} }),
  ERR_INVALID_CUSTOM_DATA: () => ({ category: 'custom', type: 'poll', data: { customData: 5 } }),
  ERR_UID_NOT_FOUND: ({ nobody }) => ({ sender: nobody, senderUserDetails: undefined }),
  ERR_GUID_NOT_FOUND: ({ nobody }) => ({ receiver: nobody, receiverGroupDetails: undefined }),
};
