import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseRules } from '../../../src/mapping/load.ts';
import { json } from '../../../src/sources/json/index.ts';
import { runJson } from '../../cli/in-process.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { proposalFor } from '../tables/schemas/readings.ts';

const home = temporaryFolder();
const fileOf = (content: unknown) => {
  const path = join(home.make(), 'export.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
};
/** The decisions, and the keys that the user is asked about. */
async function proposed(path: string, decided = {}) {
  const { options, open } = await proposalFor({ folder: path, adapter: json }, async () => undefined, decided);
  return { options, asked: open.map(({ key }) => key) };
}
const time = { _seconds: 1772442900, _nanoseconds: 0 };
const tagged = { __datatype__: 'timestamp', value: time };
const rooms = (messages: object) => ({ r1: { type: 'group', userIds: ['ann'], updatedAt: time, ...messages } });
const message = { authorId: 'ann', type: 'text', text: 'Hi', createdAt: tagged, updatedAt: tagged };

describe('the mappings of known documents', () => {
  const folder = 'mappings/documents';
  const fingerprints = parse(readFileSync(`${folder}/fingerprints.yaml`, 'utf8')) as Record<string, unknown>;
  const names = readdirSync(folder)
    .map((file) => file.replace('.yaml', ''))
    .filter((name) => name !== 'fingerprints');
  const page = readFileSync('docs/guides/mappings.md', 'utf8');
  const isSchema = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync('mappings/mapping.schema.json', 'utf8')),
  );

  it('have a fingerprint each', () => {
    expect(Object.keys(fingerprints).sort()).toEqual(names.sort());
  });

  it.each(names)('%s.yaml conforms to the published schema and the source, and is on the page', (name) => {
    const path = `${folder}/${name}.yaml`;
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/mapping\.schema\.json\n/);
    expect(isSchema(parse(text)), JSON.stringify(isSchema.errors)).toBe(true);
    const { messages, ...source } = parseRules(text, path).source as { readonly messages: object };
    // A mapping may leave to the user where messages belong.
    const bound = { ...source, messages: { conversation: 'room', ...messages } };
    expect(json.options.safeParse(bound).error).toBeUndefined();
    expect(page).toContain(`(../../${path})`);
  });
});

describe('init', () => {
  it.each([
    ['firechat', 2],
    ['firestore-collections', 4],
  ])('asks nothing about the sample %s', async (sample, read) => {
    const path = resolve(`samples/json/${sample}/export.json`);
    const { options, asked } = await proposed(path);
    expect(asked).toEqual([]);
    const written = parse(readFileSync(`samples/json/${sample}/mapping.yaml`, 'utf8')) as { readonly source: object };
    expect(options).toMatchObject({ tables: (written.source as { readonly tables: object }).tables });
    const mapping = join(home.make(), 'mapping.yaml');
    writeFileSync(mapping, JSON.stringify({ version: 1, source: options }));
    const { json: plan } = await runJson(['plan', path, '--mapping', mapping], { folder: home.make() });
    expect(plan).toMatchObject({ read, invalid: 0 });
  });

  it('finds the lists of a Firestore as node-firestore-import-export writes them, with one room of one message', async () => {
    const collections = {
      rooms: rooms({ __collections__: { messages: { m1: { ...message, __collections__: {} } } } }),
    };
    const { options, asked } = await proposed(fileOf({ __collections__: collections }));
    expect(asked).toEqual([]);
    expect(options).toMatchObject({
      tables: {
        messages: { list: '/__collections__/rooms/*/__collections__/messages' },
        conversations: { list: '/__collections__/rooms' },
      },
      messages: { edited: { from: { constant: false } } },
    });
    expect(options).not.toHaveProperty('users');
  });

  it('asks of messages in the shape of GiftedChat only where they belong', async () => {
    const chat = (id: string, more: object) => ({ _id: id, createdAt: '2026-03-02T09:15:00Z', text: 'Hi', ...more });
    const rows = [chat('m2', { system: true }), chat('m1', { user: { _id: 'ann', name: 'Ann' } })];
    const { options, asked } = await proposed(fileOf(rows));
    expect(asked).toEqual(['messages.conversation']);
    expect(options).toMatchObject({ messages: { author: 'user._id', kind: { values: { true: 'system' } } } });
  });

  it.each([
    ['milliseconds', 1_772_442_900_000, 'unix-ms'],
    ['seconds', 1_772_442_900, 'unix-s'],
  ])('reads times that a tool wrote as %s', async (_, createdAt, format) => {
    const list = rooms({ createdAt, messages: { m1: { ...message, createdAt } } });
    const path = fileOf({ rooms: list });
    const { options, asked } = await proposed(path);
    expect(asked).toEqual([]);
    const given = { from: 'createdAt', format };
    expect(options).toMatchObject({ messages: { time: given }, conversations: { createdAt: given } });
    const mapping = join(home.make(), 'mapping.yaml');
    writeFileSync(mapping, JSON.stringify({ version: 1, source: options }));
    const { json: plan } = await runJson(['plan', path, '--source', 'json', '--mapping', mapping], {
      folder: home.make(),
    });
    expect(plan).toMatchObject({ read: 1, invalid: 0 });
  });

  it('reads numbers in the shape of GiftedChat, and decides nothing where some rows have another unit', async () => {
    const chat = (id: string, createdAt: number) => ({ _id: id, createdAt, text: 'Hi', user: { _id: 'ann' } });
    const chosen = async (times: readonly number[]) => {
      const { options } = await proposed(fileOf(times.map((at, index) => chat(`m${index}`, at))));
      return (options as { messages: { time: unknown } }).messages.time;
    };
    expect(await chosen([1_772_442_900_000, 1_772_442_901_000])).toEqual({ from: 'createdAt', format: 'unix-ms' });
    expect(await chosen([1_772_442_900_000, 1_772_442_901])).not.toBe('createdAt');
  });

  it('does not take documents of another shape for those of an application', async () => {
    const { options } = await proposed(
      fileOf({ 'room-messages': { r1: { m1: { userId: 'ann', body: 'Hi', at: 1 } } } }),
    );
    expect(JSON.stringify(options)).not.toContain('room-metadata');
  });

  it('leaves to the user what the user has decided', async () => {
    const { options } = await proposed('samples/json/firechat/export.json', { messages: { authorName: 'userId' } });
    expect(options).toMatchObject({ messages: { authorName: 'userId', author: 'userId' } });
  });
});

describe('members of a room', () => {
  it('may be the keys of an object: those that are true', async () => {
    const source = {
      tables: { messages: { list: '/m' }, conversations: { list: '/c' } },
      conversations: { id: '$key', members: 'who' },
    };
    const content = {
      c: { quay: { who: { ann: true, bo: false, kay: true } } },
      m: [{ id: 1, c: 'quay', by: 'ann', at: 1772442900000, text: 'Hi' }],
    };
    const messages = {
      id: 'id',
      conversation: 'c',
      author: 'by',
      time: { from: 'at', format: 'unix-ms' },
      text: 'text',
    };
    const mapping = join(home.make(), 'mapping.yaml');
    writeFileSync(mapping, JSON.stringify({ version: 1, source: { ...source, messages } }));
    const folder = home.make();
    const path = fileOf(content);
    const { json: plan } = await runJson(['plan', path, '--mapping', mapping], { folder });
    expect(plan).toMatchObject({ read: 1, invalid: 0 });
    expect(JSON.stringify(plan)).not.toContain('who.');
  });
});
