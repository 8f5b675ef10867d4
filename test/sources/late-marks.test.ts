import { describe, expect, it } from 'vitest';
import { sources } from '../../src/sources/registry.ts';
import { withFile } from '../contracts/altered-input.ts';
import { openSample, samplesOf } from '../contracts/samples.ts';
import { messagesOf, readSample } from '../contracts/source/check.ts';

/** More than is looked at first of any file. */
const padding = 'x'.repeat(300_000);

/** Samples with files that are one object, recognised by keys at any position in it. */
const cases = [
  ['telegram', 'supergroup'],
  ['teams', 'personal'],
  ['googlechat', 'hangouts'],
  ['googlechat', 'hangouts-older'],
  ['messenger', 'encrypted'],
  ['rocketchat', 'rest-answers'],
  ['matrix', 'answers'],
  ['matrix', 'element'],
  ['matrix', 'sync'],
  ['stream', 'channels-v1'],
  ['sendbird', 'data-export'],
  ['twilio', 'conversations'],
] as const;

describe('the keys that identify a file', () => {
  it.each(cases)('of %s (%s) may come after any other content', async (source, name) => {
    const adapter = sources.find((one) => one.name === source)!;
    const sample = samplesOf(source).find((one) => one.name === name)!;
    const whole = await readSample({ adapter, sample });
    const paths = new Set(
      whole.flatMap((entry) =>
        entry.type === 'record' && entry.record.kind === 'message' ? [entry.location.path] : [],
      ),
    );
    let tried = 0;
    for (const path of paths) {
      const input = await openSample(sample);
      const text = Buffer.from(await input.read(path, Number.MAX_SAFE_INTEGER)).toString();
      if (!isObject(text)) continue;
      tried += 1;
      const padded = text.replace(/^\s*\{/, () => `{"padding":"${padding}",`);
      const read = await readSample({ adapter, sample }, withFile(input, path, Buffer.from(padded)));
      expect(messagesOf(read), path).toEqual(messagesOf(whole));
    }
    expect(tried).toBeGreaterThan(0);
  });
});

function isObject(text: string): boolean {
  try {
    return !Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}
