import { expect, it } from 'vitest';
import { survey } from '../../src/decisions/survey.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import type { ReadingResult } from '../../src/model/reading-result.ts';
import { sourceNamed } from '../../src/plan/choose-source.ts';
import { listSamples, onePerSource, openSample, sampleOptions } from '../contracts/samples.ts';
import { never } from '../scenes/bench.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { isNightly } from '../tier.ts';
import { planReading, sampleFiles } from './plan-sample.ts';

const home = temporaryFolder();

/** Samples with messages that a plan finds invalid because no destination takes them, or whose later version has another time. */
const others =
  'chat-service/damaged-rows slack/damaged-rows-fetched twilio/conversations twilio/webhooks xmpp/ejabberd xmpp/prosody-table';
const left = new Set(others.split(' ').map((name) => `samples/${name}`));
const samples = (isNightly ? listSamples() : onePerSource()).filter(({ folder }) => !left.has(folder));

/** A plan makes names of conversations that have none. */
const comparable = ({ conversations, skipped, invalid, ...rest }: ReadingResult) => ({
  ...rest,
  conversations: { ...conversations, types: undefined, top: conversations.top.map(({ count }) => count) },
});

it.each(samples)('a survey and a plan say the same of $folder', async (sample) => {
  const { exports, mapping } = sampleFiles(sample);
  const { result } = await planReading(home.make(), exports, mapping, sample.source);
  const adapter = sourceNamed(sample.source);
  const sourceOptions = adapter.options.parse(sampleOptions(sample));
  const request = { sourceOptions, workspace: undefined, progress: silent, signal: never };
  const { reading } = await survey(adapter, [await openSample(sample)], request);
  expect(comparable(reading)).toEqual(comparable(result));
});
