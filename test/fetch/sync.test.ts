import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../cli/in-process.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe } from './fetched.ts';
import { startMock } from './mock/mock-provider.ts';
import { twilioDialect } from './mock/twilio.ts';
import { addConversation, addMessage, makeWorld, textsOf } from './mock/world.ts';

const home = temporaryFolder();

const jobFile = `to: sandbox
jobs:
  - name: history
    export:
      provider:
        name: twilio
        recipe: ./twilio.yaml
        settings: { account: ${twilioDialect.settings.account} }
        apiKeyVariable: TWILIO_TOKEN
`;

const sync = (folder: string) =>
  run(['sync', '--once', '--config', 'chatferry.yaml', '--quiet'], { folder, env: { TWILIO_TOKEN: 'f'.repeat(32) } });

const arrived = (folder: string): readonly string[] =>
  [...sandboxContents(join(folder, 'chatferry-history.sandbox.db')).values()].flat();

it('a job fetches everything, then what is new, and imports each message once', async () => {
  const folder = home.make();
  const world = makeWorld(3, 4);
  let isDown = false;
  const mock = await startMock(twilioDialect, world, {
    before: (number) => (isDown && number % 5 === 0 ? { status: 401, json: { message: 'no' } } : undefined),
  });
  localRecipe('twilio', mock.url, folder);
  writeFileSync(join(folder, 'chatferry.yaml'), jobFile);
  const first = await sync(folder);
  expect({ code: first.code, err: first.stderr }).toEqual({ code: 0, err: '' });
  expect(arrived(folder).length).toBe(12);

  addMessage(world, world.conversations[0]!, Date.now());
  addMessage(world, addConversation(world), Date.now());
  isDown = true;
  expect((await sync(folder)).code).not.toBe(0);
  isDown = false;
  expect((await sync(folder)).code).toBe(0);
  const texts = arrived(folder);
  expect(texts.length).toBe(14);
  for (const text of textsOf(world).values()) expect(texts.filter((row) => row === text).length).toBe(1);
});

it('a conversation that was refused in one run is fetched by a later one, with what it had then', async () => {
  const folder = home.make();
  const world = makeWorld(2, 4);
  let isRefused = true;
  const mock = await startMock(
    {
      ...twilioDialect,
      answer(request, of) {
        const isSecond = request.parts.includes(`CH${'2'.padStart(32, '0')}`) && request.parts.at(-1) === 'Messages';
        if (isSecond && isRefused) return { status: 403, json: { message: 'not yet' } };
        return twilioDialect.answer(request, of);
      },
    },
    world,
  );
  localRecipe('twilio', mock.url, folder);
  writeFileSync(join(folder, 'chatferry.yaml'), jobFile);
  expect((await sync(folder)).code).toBe(0);
  expect(arrived(folder).length).toBe(4);
  isRefused = false;
  expect((await sync(folder)).code).toBe(0);
  expect(arrived(folder).toSorted()).toEqual([...textsOf(world).values()].toSorted());
});
