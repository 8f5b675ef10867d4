import { describe, expect, it } from 'vitest';
import { webhookSchema } from '../../src/sync/config/webhook.ts';

describe('webhookSchema', () => {
  it('asks for every reason unless the file says otherwise', () => {
    expect(webhookSchema.parse({})).toEqual({ on: ['failure', 'failed-messages', 'drift', 'recovery'] });
    expect(webhookSchema.parse({ on: ['drift'] })).toEqual({ on: ['drift'] });
  });

  it.each(['https://hooks.example/T0/B0?x=1', 'http://127.0.0.1:8080/', 'http://localhost/', 'http://[::1]:1/'])(
    'takes "%s"',
    (url) => expect(webhookSchema.parse({ url }).url).toBe(url),
  );

  it.each([
    'http://hooks.example/token',
    'https://name:token@hooks.example/',
    'https://hooks.example/#token',
    'ftp://hooks.example/token',
    'token',
    'http://127.0.0.1.example/token',
  ])('refuses "%s", without repeating it', (url) => {
    const issue = webhookSchema.safeParse({ url }).error?.issues[0];
    expect(issue?.path).toEqual(['url']);
    expect(issue?.message).not.toContain('token');
  });

  it.each([
    [{ on: [] }, ['on']],
    [{ on: 'drift' }, ['on']],
    [{ on: ['drifts'] }, ['on', 0]],
    [{ secretFile: '' }, ['secretFile']],
  ])('refuses %o, naming the key', (given, path) => {
    expect(webhookSchema.safeParse(given).error?.issues[0]?.path).toEqual(path);
  });
});
