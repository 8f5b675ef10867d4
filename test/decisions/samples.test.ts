import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firedAlarms } from '../../src/decisions/alarms.ts';
import { sourceNamed } from '../../src/plan/choose-source.ts';
import { isTableSource } from '../../src/sources/table-source.ts';
import { listSamples, onePerSource } from '../contracts/samples.ts';
import { sharedFolder } from '../requirements.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { isNightly } from '../tier.ts';
import { planReading, sampleFiles } from './plan-sample.ts';

const home = temporaryFolder();

/** The alarms that fire, and why that is right. */
const tripped: Readonly<Record<string, readonly (readonly [alarm: string, because: string])[]>> = {
  'samples/json/parquet': [['alarm-numbers-for-names', 'the file has ids of people and nothing else of them']],
};

async function alarmsOf(exports: readonly string[], mapping?: string, given?: string): Promise<readonly string[]> {
  const { result, beside, source } = await planReading(home.make(), exports, mapping, given);
  const isTable = isTableSource(sourceNamed(source));
  return firedAlarms(result, beside, { isTable, seen: {} }).map(({ id }) => id);
}

const tables = listSamples().filter(({ source }) => ['csv', 'json', 'database'].includes(source));
const samples = isNightly
  ? listSamples()
  : [...tables, ...onePerSource().filter(({ source }) => !tables.some((table) => table.source === source))];

it.each(samples)('$folder trips no alarm without a reason', async (sample) => {
  const { exports, mapping } = sampleFiles(sample);
  const expected = tripped[sample.folder] ?? [];
  expect(await alarmsOf(exports, mapping, sample.source)).toEqual(expected.map(([alarm]) => alarm));
});

/** Exports of real programs: none trips. */
const real = [
  'discord/minimal',
  'instagram/one',
  'instagram/two',
  'matrix/client-server-api',
  'mattermost/direct-channel',
  'mattermost/server-export',
  'messenger/layouts',
  'rocketchat/rest-history',
  'signal/markdown',
  'skype/one',
  'slack/workspace-2016',
  'stream/import-v1',
  'teams/forwarded',
  'teams/graph',
  'teams/tenant-export',
  'telegram/chats-2020',
  'telegram/minimal',
  'whatsapp/four-dialects',
  'whatsapp/minimal',
  'xmpp/xep0227-archive.xml',
];
const folder = sharedFolder('exports');

describe.skipIf(folder === null)('exports of real programs', () => {
  it.each(real)('%s trips no alarm', async (name) => expect(await alarmsOf([join(folder!, name)])).toEqual([]));
});
