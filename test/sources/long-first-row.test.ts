import { describe, expect, it } from 'vitest';
import { detectSource } from '../../src/sources/detect.ts';
import { memoryInput } from '../contracts/memory-input.ts';
import { openSample, samplesOf } from '../contracts/samples.ts';

/** As an image in the text of a mail. */
const padding = `data:image/png;base64,${'x\\"'.repeat(30_000)}`;

const desks = [
  'chatwoot',
  'crisp',
  'freshchat',
  'front',
  'gorgias',
  'helpscout',
  'hubspot',
  'intercom',
  'livechat',
  'zendesk',
];
const cases = desks.flatMap((source) => samplesOf(source).map((sample) => ({ source, sample, name: sample.name })));

describe('a help desk', () => {
  it.each(cases)(
    'is recognised where the first row is longer than what is looked at first: $source ($name)',
    async ({ source, sample }) => {
      const input = await openSample(sample);
      const files: Record<string, string> = {};
      for (const path of await input.paths()) {
        const text = Buffer.from(await input.read(path, Number.MAX_SAFE_INTEGER)).toString();
        files[path] = path.includes('.json') || path.includes('.ndjson') ? padded(text) : text;
      }
      const [first] = await detectSource(memoryInput(files));
      expect(first?.adapter.name).toBe(source);
    },
  );

  it('is recognised by a row behind a long list of people', async () => {
    const people = Array.from({ length: 50 }, (_, id) => ({ id }));
    const row = { fingerprint: 1, session_id: 's', website_id: 'w', type: 'text', content: 'x'.repeat(200_000) };
    const input = memoryInput({ 'm.json': { people, data: [{ ...row, from: 'user', timestamp: 1 }] } });
    expect((await detectSource(input)).map(({ adapter }) => adapter.name)).toEqual(['crisp']);
  });
});

/** With a long text in front of its first row. */
function padded(text: string): string {
  const put = (found: string) => `${found}"padding":"${padding}",`;
  return /^\s*\{.*\}\s*\n\s*\{/.test(text) || !/^[^[]*\[\s*\{\s*"/.test(text)
    ? text.replace(/^\s*\[?\s*\{/, put)
    : text.replace(/\[\s*\{/, put);
}
