import { schemaKeys } from '../config/schema-keys.ts';

/**
 * The worst that `chatferry.yaml` can say, with every key. Its addresses lead to one server, its paths to the folder `outside` next to that of
 * the file, and its programs leave the file `ran`.
 */
export function hostileConfig(address: string) {
  const url = `http://${address}`;
  const program = [process.execPath, '-e', `require('node:fs').writeFileSync('ran', '')`];

  /** The worst of every option. */
  const options: Readonly<Record<string, string>> = {
    ...{ store: out('a.db'), allowNetworkFs: 'true', appId: 'stranger', region: 'us', profile: 'hosted', to: url },
    ...{ rehearseFor: url, source: 'slack', workspace: 'T1', mapping: './m.yaml', allowMappingChange: 'true' },
    ...{ only: 'in:nowhere', actions: 'friends,blocks,deactivations', drift: 'send', exportScope: 'window' },
    ...{ outOfOrder: 'allow', failOn: 'information', checkMedia: 'true', mediaTo: out('media'), mediaBaseUrl: url },
    ...{
      mediaMissing: 'name',
      mediaEndpoint: url,
      mediaRegion: 'x',
      mediaCredentials: './keys',
      mediaToken: './token',
    },
    ...{ mediaTokenHosts: '127.0.0.1', bandwidth: '1MiB', showMessage: 'x', report: out('report'), format: 'json' },
    ...{ anonymous: 'false', dryRun: 'false', decidedBy: 'Stranger' },
    ...{ json: 'false', progress: 'plain', quiet: 'false', apiKeyFile: './key', rate: '60' },
    ...{
      retentionDays: '1',
      people: 'with-messages',
      batchItems: '1',
      batchBytes: '1MiB',
      concurrency: '2',
      gracePeriod: '1s',
      duplicates: 'refused',
    },
    ...{ sendProfiles: 'always', maxFailures: '100%', probeDuplicates: 'true', watch: 'false', interval: '1s' },
    ...{
      out: out('out.ndjson'),
      from: url,
      since: '2020-01-01',
      until: '2030-01-01',
      pageSize: '9',
    },
    ...{ code: 'x', trackUsers: 'true', keepUsers: 'true', newMuids: 'true', readBack: 'false', repair: 'true' },
    ...{ sample: '1', verify: 'false' },
  };

  const media = {
    ...{
      to: out('media'),
      address: url,
      key: '{sha256}',
      missing: 'name',
      endpoint: url,
      region: 'x',
      token: './token',
    },
    ...{ tokenHosts: '127.0.0.1', credentials: './keys', concurrency: '1', perHost: '1', bandwidth: '1MiB' },
    ...{ maxBytes: '1MiB', timeout: '1m', dimensions: 'true', thumbnails: 'true' },
  };
  const provided = {
    ...{ name: 'chatwoot', recipe: './m.yaml', settings: { address: url, account: '1' } },
    ...{ since: '2020-01-01', overlap: '1h' },
  };
  const fetched = { from: url, conversation: 'x', since: '2020-01-01', overlap: '1h' };
  const server = `postgres://reader@${new URL(url).host}/app`;
  const limits = { timeout: '1m', sizeMax: '1MiB' };
  const locations = [
    { path: out('export') },
    { dropFolder: out('drop'), pattern: '*', settledFor: '1s' },
    { url: `${url}/x.ndjson`, headersFile: './token', format: 'x.ndjson', ...limits },
    { command: program, format: 'x.ndjson', ...limits },
    { database: { url: server, cursor: { messages: 'updated_at' }, overlap: '1h', readWhole: '1h' } },
    { fetch: { ...fetched, apiKeyFile: './key' } },
    { provider: { ...provided, apiKeyFile: './key' } },
    { provider: { ...provided, apiKeyVariable: 'CHATFERRY_API_KEY' } },
    { fetch: { ...fetched, apiKeyVariable: 'CHATFERRY_API_KEY' } },
    out('export'),
  ];
  const times = { schedule: '* * * * * *', timeZone: 'UTC', jitter: '1s', hours: '00:00-24:00' };
  const jobOptions = Object.fromEntries(
    Object.entries(options).filter(
      ([key]) => schemaKeys().includes(`jobs[].${key}`) && key !== 'appId' && key !== 'region',
    ),
  );
  const jobs = locations.map((location, index) => ({
    ...{ name: `job-${index}`, export: location, ...times, rates: [{ hours: '00:00-24:00', rate: '60' }] },
    ...{ keepReports: { count: '1', days: '1' }, media, ...jobOptions, store: out(`${index}.db`) },
  }));
  const toApp = { ...jobs[0], name: 'to-app', to: undefined, appId: 'stranger', region: 'us', store: out('app.db') };
  const sync = {
    state: out('state.db'),
    listen: { port: '0', address: '0.0.0.0', allowRemote: 'true' },
    webhook: { url, secretFile: './key', on: ['failure', 'recovery'] },
    log: { level: 'debug', file: out('log') },
  };
  const fleet = {
    ...{ database: `postgres://ferry:x@${address}/ferry`, files: out('files'), endpoint: url, region: 'x' },
    ...{ credentials: './keys', lease: '1m', heartbeat: '10s', copyEvery: '1s', work: out('work'), tenant: 'acme' },
  };
  const { appId: _, region: __, ...toAddress } = options;
  const { to: ___, ...toPublic } = options;
  return {
    options,
    locations,
    sync,
    fleet,
    /** To an address, and to an app: a file names one of them. */
    whole: [toAddress, toPublic].map((top) => ({ ...top, export: out('export'), jobs: [...jobs, toApp], sync, fleet })),
  };
}

/** A path out of the folder of the file. */
export const out = (name: string): string => `../outside/${name}`;

/** Every key that is set, as the schema has it. */
export function* keysOf(value: unknown, key = ''): Generator<string> {
  if (Array.isArray(value) && typeof value[0] === 'object') for (const one of value) yield* keysOf(one, `${key}[]`);
  else if (typeof value !== 'object' || value === null || Array.isArray(value)) yield key;
  else for (const [name, inner] of Object.entries(value)) yield* keysOf(inner, key === '' ? name : `${key}.${name}`);
}
