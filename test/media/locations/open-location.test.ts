import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/lib/errors.ts';
import { type LocationRules, openLocation } from '../../../src/media/open-location.ts';
import { bucketKeys } from '../../scenes/strict-bucket.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const folders = temporaryFolder();
const usual = { key: '{sha256}{ext}', region: 'us-east-1' };
const address = 'https://files.example.com/chat/';

const open = (rules: Partial<LocationRules> & { readonly to: string }, env = {}, folder = folders.make()) =>
  openLocation({ ...usual, ...rules }, { env, folder });

async function refusal(
  opening: Promise<unknown>,
): Promise<{ readonly message: string; readonly hint: string | undefined }> {
  const error = await opening.then(
    () => new Error('It was opened'),
    (fault: unknown) => fault,
  );
  expect(error).toBeInstanceOf(UsageError);
  return error as UsageError;
}

function secretFile(text: string, mode = 0o600): string {
  const path = join(folders.make(), 'secret');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe('openLocation()', () => {
  it('says in words why a folder cannot be made', async () => {
    const folder = folders.make();
    writeFileSync(join(folder, 'taken'), '');
    await expect(open({ to: './taken', address }, {}, folder)).rejects.toThrow('a file has that name');
  });

  it.skipIf(!existsSync('/proc/self'))('ends when a file system makes no folders', async () => {
    await expect(open({ to: '/proc/chatferry/media', address })).rejects.toThrow('its file system makes no folders');
  });

  it.each([
    [{ to: './media' }, 'no media.address', 'set media.address'],
    [
      { to: 'file:///srv/media', address },
      'expected s3://bucket/prefix or a folder, found "file:"',
      'Write the path alone',
    ],
    [{ to: 'gs://bucket', address }, 'found "gs:"', 'Write s3://bucket/prefix'],
    [
      { to: './media', address, endpoint: 'https://s3.example.com' },
      'Cannot use media.endpoint with a folder',
      'Leave out',
    ],
    [{ to: './media', address, credentials: 'keys' }, 'Cannot use media.credentials with a folder', 'Leave out'],
    [
      { to: './media', address: 'https://files.example.com/?a=b' },
      'it has a query',
      'Write the address before the keys',
    ],
    [{ to: './media', address, key: '{name}' }, 'expected {sha256} in it', 'Use "{sha256}{ext}"'],
    [{ to: 's3://Bucket/a' }, '"Bucket" is no name of a bucket', 'Write s3://bucket/prefix'],
    [{ to: 's3://192.168.0.1' }, 'is no name of a bucket', 'Write s3://bucket/prefix'],
    [{ to: 's3://' }, '"" is no name of a bucket', 'Write s3://bucket/prefix'],
    [{ to: 's3://files/a//b' }, 'its prefix has a part that is empty', 'Write s3://bucket/prefix'],
    [{ to: 's3://files/../b' }, 'its prefix has a part that is empty', 'Write s3://bucket/prefix'],
    [{ to: 's3://files', region: 'a b' }, '"a b" is no region', 'eu-west-1'],
    [{ to: 's3://files', endpoint: 'http://s3.example.com' }, 'http would send files and keys unprotected', 'https://'],
    [{ to: 's3://files', endpoint: 'https://a:geheim@s3.example.com' }, 'it contains credentials', 'https://'],
    [{ to: 's3://files' }, 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY not set', 'media.credentials'],
    [{ to: 'https://files.example/{key}', address }, 'found "https://files.example"', '--media-to s3://bucket/prefix'],
    [{ to: 'HTTP://me:geheim@files.example/a?k=geheim' }, 'found "http://files.example"', '--media-base-url'],
    [{ to: 'https://a b/geheim' }, 'found "https:"', '--media-to s3://bucket/prefix'],
  ])('refuses %j', async (rules, why, hint) => {
    const refused = await refusal(open(rules));
    expect(refused.message).toContain(why);
    expect(refused.hint).toContain(hint);
    expect(JSON.stringify(refused)).not.toContain('geheim');
    expect(refused.message).not.toContain('geheim');
  });

  it.runIf(process.platform !== 'win32')('refuses credentials that others may read', async () => {
    const credentials = secretFile('[default]\naws_access_key_id = a\naws_secret_access_key = b\n', 0o644);
    expect((await refusal(open({ to: 's3://files', credentials }))).message).toContain('others may read');
  });

  it.each([
    ['[default]\naws_access_key_id = AK\naws_secret_access_key = se+cr/et=\n'],
    [
      '# mine\n[work]\naws_access_key_id=WRONG\naws_secret_access_key=x y\n\n[default]\r\naws_access_key_id = AK\r\naws_secret_access_key = s\r\n',
    ],
    ['aws_access_key_id = AK\naws_secret_access_key = s\naws_session_token = t\n'],
  ])('takes keys from %j', async (text) => {
    const location = await open({ to: 's3://files/a/', credentials: secretFile(text) });
    expect(location.name).toBe('s3://files/a at https://s3.us-east-1.amazonaws.com');
    await location.close();
  });

  it.each([
    ['[default]\naws_access_key_id = AK\n', 'no aws_secret_access_key in'],
    ['aws_access_key_id = A K\naws_secret_access_key = s\n', 'Cannot use the access key'],
    ['aws_access_key_id = AK\naws_secret_access_key = geheim ü\n', 'Cannot use the secret key'],
  ])('refuses keys such as %j and does not repeat them', async (text, why) => {
    const { message } = await refusal(open({ to: 's3://files', credentials: secretFile(text) }));
    expect(message).toContain(why);
    expect(message).not.toMatch(/geheim|A K/);
  });

  it('names the folder by its real path, relative to the working folder', async () => {
    const folder = folders.make();
    mkdirSync(join(folder, 'media'));
    const location = await open({ to: './media', address }, {}, folder);
    expect(location.name).toBe(join(folder, 'media'));
    expect(location.addressOf('a/b c.png')).toBe('https://files.example.com/chat/a/b%20c.png');
  });

  it.each([
    [{ to: 's3://files/chat' }, 'https://files.s3.us-east-1.amazonaws.com/chat/a/b%2B%27.png'],
    [{ to: 's3://files', region: 'cn-north-1' }, 'https://files.s3.cn-north-1.amazonaws.com.cn/a/b%2B%27.png'],
    [{ to: 's3://files.example/chat' }, 'https://s3.us-east-1.amazonaws.com/files.example/chat/a/b%2B%27.png'],
    [{ to: 's3://files', endpoint: 'https://s3.example.com/v1/' }, 'https://s3.example.com/v1/files/a/b%2B%27.png'],
    [{ to: 's3://files/chat', address: 'https://cdn.example.com/x' }, 'https://cdn.example.com/x/a/b%2B%27.png'],
  ])('gives files of %j the address %s', async (rules, wanted) => {
    const location = await open(rules, bucketKeys);
    expect(location.addressOf("a/b+'.png")).toBe(wanted);
    await location.close();
  });
});
