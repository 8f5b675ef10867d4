import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { choices, elsewhere } from '../../src/desk/choices.ts';
import type { ChoicesView, DeskError } from '../../src/desk/shapes.ts';
import { mappingFileSchema } from '../../src/mapping/rules/mapping-file.ts';
import { openDesk } from '../cli/desk-scene.ts';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../samples/slack/every-feature/export');

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly string[];
  readonly default?: unknown;
}

const { properties = {} } = z.toJSONSchema(mappingFileSchema, { io: 'input', reused: 'inline' }) as unknown as {
  readonly properties?: Readonly<Record<string, Schema>>;
};
const sections = ['people', 'conversations', 'messages', 'files', 'media'];
const keys = Object.entries(properties).flatMap(([key, schema]) =>
  sections.includes(key) ? Object.keys(schema.properties ?? {}).map((part) => `${key}.${part}`) : [key],
);
const offered = Object.values(choices).flat();
const schemaOf = (key: string): Schema | undefined =>
  key.split('.').reduce<Schema | undefined>((schema, part) => schema?.properties?.[part], { properties });

describe('the choices of the desk', () => {
  it('have a place for every key of the mapping, or a reason why the file is it', () => {
    expect(keys.length).toBeGreaterThan(45);
    const places = [...offered.map(({ key }) => key), ...Object.keys(elsewhere)];
    const isPlaced = (key: string) => places.includes(key) || (key.startsWith('media.') && 'media' in elsewhere);
    expect(keys.filter((key) => !isPlaced(key))).toEqual([]);
    expect(places.filter((key) => !keys.includes(key) && !(key in properties))).toEqual([]);
    expect(new Set(places).size).toBe(places.length);
  });

  it.each(offered.filter(({ key }) => schemaOf(key)?.enum))('offer every value of $key', ({ key, says }) => {
    const { enum: values, default: usual } = schemaOf(key)!;
    expect(Object.keys(says!)).toEqual([usual, ...values!.filter((value) => value !== usual)]);
  });

  it('are written into the mapping with who made them, hold in the next plan, and are taken back', async () => {
    const folder = home.make();
    const desk = await openDesk([slack], folder);
    const mapping = () => readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8');
    expect((await desk.ask<ChoicesView>('choices')).rows).toEqual([]);
    const set = async (key: string, value: string) =>
      await desk.change<ChoicesView>('choice', { key, value, by: 'Ana' });
    expect((await set('messages.system', 'keep')).status).toBe(200);
    await set('conversations.exclude', 'Quay, north\n12345678901234567890\n');
    await set('messages.textCharsMax', '5000');
    await set('people.emailAs', 'email');
    const { answer } = await set('people.everyone', 'true');
    expect(answer.rows).toEqual([
      { key: 'people.everyone', value: 'true' },
      { key: 'people.emailAs', value: 'email' },
      { key: 'conversations.exclude', value: 'Quay, north\n12345678901234567890' },
      { key: 'messages.system', value: 'keep' },
      { key: 'messages.textCharsMax', value: '5000' },
    ]);
    expect(mapping()).toContain('system: keep');
    expect(await run(['plan', slack], { folder })).toMatchObject({ code: 0 });
    const { status, answer: refused } = await desk.change<{ error: DeskError }>('choice', {
      key: 'messages.textCharsMax',
      value: '7',
      by: 'Ana',
    });
    expect([status, refused.error.message]).toEqual([422, expect.stringContaining('messages.textCharsMax')]);
    await set('messages.textCharsMax', '');
    await set('people.emailAs', '');
    const rows = (await desk.ask<ChoicesView>('choices')).rows.map(({ key }) => key);
    expect(rows).toEqual(['people.everyone', 'conversations.exclude', 'messages.system']);
    const log = readFileSync(join(folder, 'chatferry.decisions.json'), 'utf8');
    expect(JSON.parse(log)).toMatchObject({
      decisions: expect.arrayContaining([
        expect.objectContaining({ key: 'people.emailAs', answer: 'the default', before: 'email', by: 'Ana' }),
      ]),
    });
  });

  it('refuse a key that is none of them, and nothing is written', async () => {
    const folder = home.make();
    const desk = await openDesk([slack], folder);
    expect((await desk.change('choice', { key: 'module', value: './mine.ts', by: 'Ana' })).status).toBe(400);
    expect(existsSync(join(folder, 'chatferry.mapping.yaml'))).toBe(false);
  });
});
