import { expect } from 'vitest';
import type { CallInput } from './service-client.ts';
import { type OperationName, operationNamed } from '../../src/service/operations.ts';
import type { Scene } from './service-scene.ts';

/**
 * Each operation used as it is meant, and its effect looked at. The client holds every answer against the contract, so that
 * only what the contract cannot say is expected here.
 */
export const successes: Readonly<Partial<Record<OperationName, (scene: Scene) => Promise<void>>>> = {
  async updateApiKey({ client, service: { demo } }) {
    const apiKey = demo!.secondFullAccessKey;
    const { data } = await client.updateApiKey({ apiKey, body: { name: 'Renamed', scope: 'userauth' } });
    expect(data).toMatchObject({ apiKey, name: 'Renamed', scope: 'authOnly' });
    const back = await client.updateApiKey({ apiKey, body: { scope: 'admin' } });
    expect(back.data).toMatchObject({ name: 'Renamed', scope: 'fullAccess' });
  },

  async updateAuthToken(scene) {
    const { client, service } = scene;
    const { demo } = service;
    const { data } = await client.updateAuthToken({
      uid: 'ann',
      authToken: demo!.authToken,
      body: { platform: 'ios', userAgent: 'Test/1.0', appInfo: { version: '1' } },
    });
    expect(data).toMatchObject({ uid: 'ann', authToken: demo!.authToken });
    expect(data).not.toHaveProperty('platform');
    // PHP writes an object without fields as a list without elements.
    const empty = { params: { uid: 'ann', authToken: demo!.authToken }, body: '[]' };
    expect((await scene.send('updateAuthToken', empty)).status).toBe(200);
  },

  async deactivateUsers({ client, dan, nobody }) {
    const { data } = await client.deactivateUsers({ body: { uidsToDeactivate: [dan.toUpperCase(), nobody] } });
    expect(data.deactivatedUids).toEqual([dan]);
    await expect(client.listUserMessages({ uid: dan })).rejects.toMatchObject({ code: 'ERR_UID_NOT_FOUND' });
  },

  async activateUsers({ client, dan, ann }) {
    await client.deactivateUsers({ body: { uidsToDeactivate: [dan] } });
    const { data } = await client.activateUsers({ body: { uidsToActivate: [dan, ann] } });
    expect(data.nonDeactivatedUids).toEqual([dan, ann]);
    expect((await client.listUserMessages({ uid: dan })).data).toHaveLength(1);
  },

  async addFriends({ client, ann, bob, nobody }) {
    const { data } = await client.addFriends({ uid: ann, body: { accepted: [bob, ann, nobody] } });
    expect(data.accepted).toMatchObject({
      [bob]: { success: true },
      [ann]: { success: false },
      [nobody]: { success: false },
    });
    // Both ways, and only once.
    const again = await client.addFriends({ uid: bob, body: { accepted: [ann] } });
    expect(again.data.accepted[ann]).toMatchObject({ success: false });
  },

  async removeFriends({ client, ann, bob }) {
    await client.addFriends({ uid: ann, body: { accepted: [bob] } });
    expect((await client.removeFriends({ uid: bob, body: { friends: [ann] } })).data.success).toBe(true);
    const gone = client.removeFriends({ uid: ann, body: { friends: [bob] } });
    await expect(gone).rejects.toMatchObject({ code: 'ERR_NOT_A_FRIEND' });
  },

  async blockUsers({ client, ann, bob, nobody }) {
    const { data } = await client.blockUsers({ uid: ann, body: { blockedUids: [bob, ann, nobody] } });
    expect(data).toMatchObject({ [bob]: { success: true }, [ann]: { success: false }, [nobody]: { success: false } });
    const again = await client.blockUsers({ uid: ann, body: { blockedUids: [bob] } });
    expect(again.data[bob]).toMatchObject({ success: true });
  },

  async unblockUsers({ client, ann, bob, cleo }) {
    await client.blockUsers({ uid: ann, body: { blockedUids: [bob] } });
    const { data } = await client.unblockUsers({ uid: ann, body: { blockedUids: [bob, cleo] } });
    expect(data).toMatchObject({ [bob]: { success: true }, [cleo]: { success: false } });
    await client.sendMessage({ onBehalfOf: bob, body: { receiver: ann, receiverType: 'user', data: { text: 'Hi' } } });
  },

  async listRestrictedFeatures({ client, service: { demo } }) {
    const all = await client.listRestrictedFeatures({ role: demo!.role });
    expect(all.data.length).toBeGreaterThan(1);
    const second = await client.listRestrictedFeatures({ role: demo!.role, page: 2, perPage: 1 });
    expect(second.data).toEqual([all.data[1]]);
    expect(second.meta?.pagination).toMatchObject({ total: all.data.length, count: 1, per_page: 1, current_page: 2 });
  },

  async allowFeatures({ client, service: { demo } }) {
    const role = demo!.role;
    const before = await client.listRestrictedFeatures({ role });
    const { key } = before.data[0]!;
    expect((await client.allowFeatures({ role, body: { featuresToAllow: [key] } })).data.success).toBe(true);
    expect((await client.listRestrictedFeatures({ role })).data).toEqual(before.data.slice(1));
    await client.allowFeatures({ role, body: { allowAll: true } });
    expect((await client.listRestrictedFeatures({ role })).data).toEqual([]);
  },

  async deleteRole({ client, service: { demo } }) {
    const role = demo!.role;
    expect((await client.deleteRole({ role })).data.success).toBe(true);
    await expect(client.listRestrictedFeatures({ role })).rejects.toMatchObject({ code: 'ERR_ROLE_NOT_FOUND' });
  },

  async getGroup({ client, group, ann }) {
    const { data } = await client.getGroup({ guid: group });
    expect(data).toMatchObject({ guid: group, type: 'private', membersCount: 3, owner: ann });
    expect(data).not.toHaveProperty('hasJoined');
    const mine = await client.getGroup({ guid: group, onBehalfOf: ann });
    expect(mine.data).toMatchObject({ hasJoined: true, scope: 'admin' });
  },

  async deleteGroup({ client, group, ann }) {
    expect((await client.deleteGroup({ guid: group, onBehalfOf: ann })).data.success).toBe(true);
    await expect(client.getGroup({ guid: group })).rejects.toMatchObject({ code: 'ERR_GUID_NOT_FOUND' });
    expect((await client.listMessages({ conversationId: `group_${group}` })).data).toEqual([]);
  },

  async kickMember({ client, group, ann, bob }) {
    expect((await client.kickMember({ guid: group, uid: bob, onBehalfOf: ann })).data.success).toBe(true);
    expect((await client.getGroup({ guid: group })).data.membersCount).toBe(2);
    const { data } = await client.listMessages({ conversationId: `group_${group}`, categories: ['action'] });
    expect(data).toMatchObject([{ category: 'action', data: { action: 'kicked' } }]);
  },

  async sendMessage(scene) {
    const { client, ann, bob, cleo, group } = scene;
    const muid = scene.muid();
    const { data } = await client.sendMessage({
      onBehalfOf: ann,
      body: { receiver: bob, receiverType: 'user', muid, tags: ['t'], data: { text: 'ä😀' } },
    });
    expect(data).toMatchObject({ muid, sender: ann, receiver: bob, category: 'message', type: 'text', tags: ['t'] });
    expect(data.data?.entities?.sender).toMatchObject({ entity: { uid: ann } });
    const custom = { category: 'custom', type: 'poll', data: { customData: { question: '?' } } } as const;
    await client.sendMessage({ onBehalfOf: ann, body: { receiver: group, receiverType: 'group', ...custom } });
    await client.sendMessage({
      onBehalfOf: ann,
      body: { multipleReceivers: { uids: [bob, cleo], guids: [group] }, data: { text: 'To all of you' } },
    });
    const toBob = await client.listUserMessages({ uid: bob, onBehalfOf: ann });
    expect(toBob.data.map((message) => message.data?.text)).toEqual(['ä😀', 'To all of you']);
  },

  async sendBotMessage({ client, service: { demo }, bob }) {
    // Every form element and button action.
    const form = operationNamed('sendBotMessage').example.body as CallInput<'sendBotMessage'>['body'];
    const { data } = await client.sendBotMessage({
      uid: demo!.bot,
      body: { ...form, receiver: bob },
    });
    expect(data).toMatchObject({ sender: demo!.bot, category: 'interactive', type: 'form', data: form.data });
  },

  async importMessages(scene) {
    const { client, group } = scene;
    const good = scene.importItem({ sentAt: '1750000000', tags: ['t'] });
    const bad = scene.importItem({ data: { text: '' } });
    const { data } = await client.importMessages({ body: { messages: { [good.muid]: good, [bad.muid]: bad } } });
    expect(data[good.muid]).toMatchObject({
      success: true,
      data: { muid: good.muid, conversationId: `group_${group}`, sentAt: 1_750_000_000, tags: ['t'] },
    });
    expect(data[bad.muid]).toMatchObject({ success: false, error: { code: 'ERR_EMPTY_MESSAGE_TEXT' } });
  },

  async importUsers({ client, nobody: uid, dan }) {
    const createdAt = 1_750_000_000;
    const users = { [uid]: { uid, name: 'New', createdAt, tags: ['t'] }, [dan]: { uid: dan, name: 'Another Dan' } };
    const { data } = await client.importUsers({ body: { users } });
    expect(data[uid]).toMatchObject({ success: true, data: { data: { uid, name: 'New', createdAt, tags: ['t'] } } });
    expect(data[dan]).toMatchObject({ success: false, error: { code: 'ERR_UID_ALREADY_EXISTS' } });
    const { data: asked } = await client.importUsers({ body: { users } });
    expect(asked[uid]).toMatchObject({ success: false, error: { code: 'ERR_UID_ALREADY_EXISTS' } });
  },

  async importGroups({ client, nobody: guid, ann }) {
    const item = { guid, name: 'New', type: 'private', owner: ann, createdAt: 1_750_000_000 } as const;
    const { data } = await client.importGroups({ body: { groups: { [guid]: item } } });
    expect(data[guid]).toMatchObject({ success: true, data: { data: item } });
    expect((await client.getGroup({ guid })).data).toMatchObject({ ...item, membersCount: 1 });
    expect((await client.getGroup({ guid, onBehalfOf: ann })).data).toMatchObject({ hasJoined: true, scope: 'admin' });
  },

  async importMembers({ client, nobody: guid, ann, bob, dan }) {
    const createdAt = 1_750_000_000;
    const item = (uid: string, fields: object) => {
      const memberId = `${guid}_member_${uid}`;
      return [memberId, { memberId, guid, uid, joinedAt: createdAt + 1, ...fields }] as const;
    };
    await client.importGroups({ body: { groups: { [guid]: { guid, name: 'New', type: 'private', createdAt } } } });
    const members = [item(ann, {}), item(bob, { scope: 'moderator' }), item(dan, { isBanned: true })];
    const { data } = await client.importMembers({ body: { members: Object.fromEntries(members) } });
    for (const [key] of members) expect(data[key]).toMatchObject({ success: true });
    expect((await client.getGroup({ guid })).data.membersCount).toBe(2);
    expect((await client.getGroup({ guid, onBehalfOf: bob })).data).toMatchObject({ scope: 'moderator' });
    await expect(client.getGroup({ guid, onBehalfOf: dan })).rejects.toMatchObject({ code: 'ERR_GROUP_NOT_JOINED' });
  },

  async listMessages({ client, group, ann, bob, cleo }) {
    const conversationId = `group_${group}`;
    const first = await client.listMessages({ conversationId, limit: 2 });
    expect(first.data.map(({ sender }) => sender)).toEqual([ann, bob]);
    const { id, affix } = first.meta!.next!;
    const rest = await client.listMessages({ conversationId, limit: 2, id: id!, affix: affix as 'append' });
    expect(rest.data.map(({ sender }) => sender)).toEqual([cleo]);
    const behind = rest.meta!.next!;
    expect(behind).toMatchObject({ affix: 'append', id: rest.data[0]!.id, sentAt: rest.data[0]!.sentAt });
    const end = await client.listMessages({ conversationId, id: behind.id!, sentAt: behind.sentAt!, affix: 'append' });
    expect(end).toMatchObject({ data: [], meta: { current: { count: 0 }, next: behind } });
    for (const types of [['text', 'image'], ['text']]) {
      expect((await client.listMessages({ conversationId, types, hasLinks: false })).data).toHaveLength(3);
    }
    expect((await client.listMessages({ conversationId, sender: bob, onBehalfOf: ann })).data).toHaveLength(1);
  },

  async listUserMessages({ client, ann, dan }) {
    const pair = await client.listUserMessages({ uid: dan, onBehalfOf: ann, limit: 10 });
    expect(pair.data.map(({ sender, receiver }) => [sender, receiver])).toEqual([[dan, ann]]);
    const all = await client.listUserMessages({ uid: ann, perPage: 2 });
    expect(all.data).toHaveLength(2);
    expect(all.meta?.cursor).toEqual({ affix: 'prepend', id: Number(all.data[0]!.id) });
  },

  async addReaction(scene) {
    const { client, ann, bob, group } = scene;
    const { data: listed } = await client.listMessages({ conversationId: `group_${group}`, limit: 1 });
    const { id } = listed[0]!;
    await client.addReaction({ id, reaction: '👍🏽', onBehalfOf: ann });
    const { data } = await client.addReaction({ id, reaction: '👍🏽', onBehalfOf: bob });
    expect(data.data?.reactions).toEqual([{ reaction: '👍🏽', count: 2, reactedByMe: true }]);
    const again = await client.addReaction({ id, reaction: '👍🏽', onBehalfOf: bob });
    expect(again.data.data?.reactions).toEqual(data.data?.reactions);
  },

  async deleteConversation({ client, ann, dan }) {
    const conversationId = [ann, dan].sort().join('_user_');
    expect((await client.deleteConversation({ conversationId, onBehalfOf: ann })).data.success).toBe(true);
    expect((await client.listMessages({ conversationId })).data).toEqual([]);
  },

  async getMessageStats({ client, ann, bob }) {
    const sum = async () =>
      (await client.getMessageStats()).data.dataPoints.reduce((total, { messagesSent }) => total + messagesSent, 0);
    const before = await sum();
    await client.sendMessage({ onBehalfOf: ann, body: { receiver: bob, receiverType: 'user', data: { text: 'Hi' } } });
    expect(await sum()).toBe(before + 1);
    const { startTime, endTime } = (await client.getMessageStats()).data.dataPoints[0]!;
    expect(Number(endTime) - Number(startTime)).toBe(300_000);
  },

  async getContactDetails({ client, dan, service }) {
    expect((await client.getContactDetails({ onBehalfOf: dan })).data).toEqual({});
    if (!service.demo) return;
    expect((await client.getContactDetails({ onBehalfOf: 'ann' })).data).toMatchObject({ email: 'ann@example.com' });
  },

  async deleteContactDetails({ client }) {
    expect((await client.deleteContactDetails({ onBehalfOf: 'ann' })).data.success).toBe(true);
    expect((await client.getContactDetails({ onBehalfOf: 'ann' })).data).toEqual({});
    expect((await client.deleteContactDetails({ onBehalfOf: 'ann' })).data.success).toBe(true);
  },

  async deleteSmsProvider({ client }) {
    expect((await client.deleteSmsProvider()).data.success).toBe(true);
    expect((await client.deleteSmsProvider()).data.success).toBe(true);
  },
};

/** Operations that need data of the demo, or would destroy data that others may need. */
export const demoOnly: ReadonlySet<OperationName> = new Set<OperationName>([
  'updateApiKey',
  'updateAuthToken',
  'listRestrictedFeatures',
  'allowFeatures',
  'deleteRole',
  'sendBotMessage',
  'deleteContactDetails',
  'deleteSmsProvider',
]);
