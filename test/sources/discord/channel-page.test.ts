import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { discord } from '../../../src/sources/discord/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const folder = 'samples/discord/channel-html/export';
const [name] = readdirSync(folder);
const page = readFileSync(`${folder}/${name}`, 'utf8');

it('a system line belongs to the person it names, not to the author above it', async () => {
  const line = `<div class="chatlog__message-group"><div class="chatlog__message-container" data-message-id="1477900000000001009">
    <div class="chatlog__message"><div class="chatlog__message-primary">
    <span class="chatlog__system-notification-author" title="priya" data-user-id="300000000000000009">Priya</span>
    <span class="chatlog__system-notification-content"><span>joined the server.</span></span></div></div></div></div>`;
  const with2 = page.replace('<div class="chatlog__message-group">', (first) => `${line}${first}`);
  const messages = messagesOf(await readAll(discord, memoryInput({ [name!]: with2 })));
  expect(messages.find(({ origin }) => origin.id.endsWith('1009'))).toMatchObject({
    author: '300000000000000009',
    text: 'joined the server.',
    systemEvent: 'system-notification',
  });
});
