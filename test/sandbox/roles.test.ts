import { describe, expect, it } from 'vitest';
import { call, list, refused, sandboxOf } from './fixture.ts';

const features = 'v3/roles/guest/restrictedfeatures';

describe('a role', () => {
  it('has restricted features, in pages', () => {
    const sandbox = sandboxOf({ seed: 'demo' });
    const all = call(sandbox, `GET /${features}`).json;
    expect(all.data.map(({ key }: { key: string }) => key)).toEqual(['u.addFriends', 'u.blockUsers', 'u.deleteGroup']);
    expect(all.data[2]).toEqual({
      key: 'u.deleteGroup',
      title: 'Delete a group',
      description: expect.any(String),
      path: '/v3/groups/{{guid}}',
      createdAt: expect.any(Number),
    });
    expect(all.meta.pagination).toEqual({ total: 3, count: 3, per_page: 100, current_page: 1, total_pages: 1 });
    const second = call(sandbox, `GET /${features}?page=2&perPage=2`).json;
    expect(second.data).toEqual(all.data.slice(2));
    expect(second.meta.pagination).toEqual({ total: 3, count: 1, per_page: 2, current_page: 2, total_pages: 2 });
  });

  it.each([9, 999_999_999_999_999])('has an empty page %i', (page) => {
    const answer = call(sandboxOf({ seed: 'demo' }), `GET /${features}?page=${page}&perPage=1000`);
    expect(answer).toMatchObject({ status: 200, json: { data: [], meta: { pagination: { total: 3, count: 0 } } } });
  });

  it.each(['page=0', 'perPage=0', 'perPage=1001', 'page=x'])('has no page by %s', (query) => {
    const answer = call(sandboxOf({ seed: 'demo' }), `GET /${features}?${query}`);
    expect(answer).toMatchObject(refused('ERR_BAD_REQUEST'));
    expect(Object.keys(answer.json.error.details)).toEqual([query.split('=')[0]]);
  });

  it('is allowed the named features, or all', () => {
    const sandbox = sandboxOf({ seed: 'demo' });
    const allow = (body: object) => call(sandbox, `DELETE /${features}`, { body });
    const keys = () => call(sandbox, `GET /${features}`).json.data.map(({ key }: { key: string }) => key);
    expect(allow({ featuresToAllow: ['u.deleteGroup', 'u.unknown'] }).json.data).toMatchObject({ success: true });
    expect(keys()).toEqual(['u.addFriends', 'u.blockUsers']);
    expect(allow({ allowAll: false })).toMatchObject(refused('ERR_BAD_REQUEST'));
    expect(allow({})).toMatchObject(refused('ERR_BAD_REQUEST'));
    expect(allow({ featuresToAllow: [] })).toMatchObject(refused('ERR_BAD_REQUEST'));
    expect(keys()).toHaveLength(2);
    expect(allow({ allowAll: true }).status).toBe(200);
    expect(keys()).toEqual([]);
  });

  it('is deleted, and its users have the default role', () => {
    const sandbox = sandboxOf({ seed: 'demo' });
    const roleOfEve = () => list(sandbox, 'sender=eve&limit=1').json.data[0].data.entities.sender.entity.role;
    expect(roleOfEve()).toBe('guest');
    expect(call(sandbox, 'DELETE /v3/roles/GUEST')).toMatchObject({ status: 200, json: { data: { success: true } } });
    expect(roleOfEve()).toBe('default');
    expect(call(sandbox, `GET /${features}`)).toMatchObject(refused('ERR_ROLE_NOT_FOUND'));
    expect(call(sandbox, 'DELETE /v3/roles/guest')).toMatchObject(refused('ERR_ROLE_NOT_FOUND'));
    expect(call(sandbox, `DELETE /${features}`, { body: { allowAll: true } })).toMatchObject(
      refused('ERR_ROLE_NOT_FOUND'),
    );
  });

  it('for all users without a role exists without a seed, and cannot be deleted', () => {
    const sandbox = sandboxOf();
    expect(call(sandbox, 'GET /v3/roles/default/restrictedfeatures').json.data).toEqual([]);
    expect(call(sandbox, 'DELETE /v3/roles/default')).toMatchObject(refused('ERR_ROLE_DELETE_DENIED'));
  });
});
