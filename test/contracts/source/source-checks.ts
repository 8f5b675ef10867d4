import { expect } from 'vitest';
import { z } from 'zod';
import { detectSource } from '../../../src/sources/detect.ts';
import { isTableSource } from '../../../src/sources/table-source.ts';
import { memoryInput } from '../memory-input.ts';
import { isNightly } from '../../tier.ts';
import { listSamples, onePerSource, openSample } from '../samples.ts';
import { type Check, messagesOf, type SourceSubject } from './check.ts';

/** Checks of a source's description of itself, and of the exports it recognises. */
export const sourceChecks: readonly Check<SourceSubject>[] = [
  {
    says: 'has a name in lower case that can stand in an id',
    run({ adapter }) {
      expect(adapter.name).toMatch(/^[a-z][a-z0-9-]*$/);
    },
  },
  {
    says: 'describes every option and gives it a default',
    run({ adapter }) {
      const schema = (adapter.options as z.ZodLazy).unwrap();
      expect(schema).toBeInstanceOf(z.ZodObject);
      for (const [name, option] of Object.entries((schema as z.ZodObject).shape)) {
        expect(option.meta()?.description, `option "${name}"`).toMatch(/^[A-Z]/);
      }
      expect(() => adapter.options.parse({})).not.toThrow();
    },
  },
  {
    says: 'recognises its own samples and says why',
    async run({ adapter, samples }) {
      expect(samples.length).toBeGreaterThan(0);
      for (const sample of samples) {
        const [first] = await detectSource(await openSample(sample));
        expect(first?.adapter.name, sample.folder).toBe(adapter.name);
        expect(first?.because, sample.folder).not.toBe('');
      }
    },
  },
  {
    says: "recognises no one else's samples",
    async run({ adapter }) {
      const all = isNightly ? listSamples() : onePerSource();
      for (const sample of all.filter(({ source }) => source !== adapter.name)) {
        const probe = await adapter.probe(await openSample(sample));
        // A source without fixed fields may see a table in anything, as long as whose it is comes first.
        if (isTableSource(adapter) && probe.match !== 'no') {
          const [first] = await detectSource(await openSample(sample));
          expect(first?.adapter.name, sample.folder).toBe(sample.source);
        } else {
          expect(probe, sample.folder).toEqual({ match: 'no' });
        }
      }
    },
  },
  {
    says: 'answers "no" to what is no export at all',
    async run({ adapter }) {
      const strangers = [{}, { 'package.json': { name: 'x' }, 'src/a.json': [1] }, { 'photo.jpg': '\xff\xd8\xff' }];
      for (const files of strangers) expect(await adapter.probe(memoryInput(files))).toEqual({ match: 'no' });
    },
  },
  {
    says: 'has a sample in which two messages of a conversation are of the same time',
    async run({ samples, whole }) {
      const times = await Promise.all(
        samples.map(async (sample) =>
          messagesOf(await whole(sample)).map(
            ({ origin, sentAtMs }) => `${sample.name} ${origin.conversation} ${sentAtMs}`,
          ),
        ),
      );
      const all = times.flat();
      expect(new Set(all).size, 'Without one nobody sees whether sort keys are right').toBeLessThan(all.length);
    },
  },
];
