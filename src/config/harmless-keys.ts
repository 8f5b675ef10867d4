import type { OptionName } from './options.ts';

/**
 * Which keys of `chatferry.yaml` count in a file that was only found in the current folder. Its author may be a stranger, so a key counts
 * there if it cannot open a connection, start a program, use the API key, reach a file outside of the folder, or change what is sent.
 * A key that is not in this table does not count.
 */
export interface KeyRule {
  /**
   * `always`: whatever its value. `inside`: if it is a relative path that stays inside the folder of the file, also through links.
   * `sandbox`: if it is `sandbox`. `never`: only in a file that was named or trusted.
   */
  readonly counts: 'always' | 'inside' | 'sandbox' | 'never';
  /** Effect of the key, for the person who is about to trust it. */
  readonly because: string;
}

const harmless: KeyRule = { counts: 'always', because: '' };
const inside: KeyRule = { counts: 'inside', because: 'leads out of the folder of the file' };
const never = (because: string): KeyRule => ({ counts: 'never', because });

const destination = 'decides where messages and the API key go';
const selection = 'decides what is left out';
const media = 'copies the files of messages, which asks other machines for them';
const bucket = 'decides where copies of stores go, and which keys open them';
const otherService = 'asks another service, with a key';

/** Rules of options, at the top of the file and in a job. */
const optionRules = {
  store: inside,
  allowNetworkFs: never('switches off a check that protects the store'),
  appId: never(destination),
  region: never(destination),
  to: { counts: 'sandbox', because: destination },
  profile: never('decides limits, rates and whether a message is sent again'),
  // Applies to the embedded sandbox alone, and sends no request.
  rehearseFor: harmless,
  source: harmless,
  workspace: never('is part of the id of every message'),
  mapping: never('decides what is sent, and can name a module, which is a program'),
  allowMappingChange: never('agrees to a changed mapping'),
  only: never(selection),
  actions: never('changes people and conversations, who may be notified'),
  drift: never('decides whether changed messages are sent'),
  exportScope: never('decides what counts as deleted'),
  outOfOrder: never('decides whether old messages are sent'),
  failOn: harmless,
  checkMedia: never('asks the hosts of attachments'),
  mediaTo: never(media),
  mediaBaseUrl: never('decides which addresses messages get for their files'),
  mediaMissing: never('decides which messages are sent without their files'),
  mediaEndpoint: never(media),
  mediaRegion: never(media),
  mediaCredentials: never('sends the keys of a bucket'),
  mediaToken: never('sends a token'),
  mediaTokenHosts: never('decides who gets a token'),
  bandwidth: harmless,
  // Printed on the terminal of the person who runs the command.
  showMessage: harmless,
  report: inside,
  format: harmless,
  anonymous: harmless,
  json: harmless,
  progress: harmless,
  logJson: harmless,
  yes: never('answers questions; no key of a file'),
  quiet: harmless,
  apiKeyFile: never('decides which API key is used'),
  // How fast the same messages go to a destination that you named. It limits requests itself.
  rate: harmless,
  retentionDays: never('decides which messages count as too old'),
  batchItems: harmless,
  batchBytes: harmless,
  concurrency: harmless,
  gracePeriod: never('decides when a message is sent again'),
  duplicates: never('decides whether a message is sent again'),
  sendProfiles: never('decides whether names and avatars are sent'),
  maxFailures: never('switches off the stop at too many failures'),
  probeDuplicates: never('sends messages'),
  watch: harmless,
  interval: harmless,
  // An existing file is replaced only with --force, which no file can say.
  out: inside,
  force: never('replaces a file; no key of a file'),
  from: never(otherService),
  conversation: never(selection),
  since: never(selection),
  until: never(selection),
  pageSize: harmless,
  code: never(selection),
  trackUsers: never('asks the destination about every person'),
  dryRun: harmless,
  deactivatePeople: never('deactivates people'),
  oneByOne: never('gives up messages that get no answer; not a key of a file'),
  newMuids: never('gives messages new ids, so that they arrive again'),
  readBack: never('switches off the check of what arrived'),
  repair: never('sends messages again'),
  sample: never('leaves most messages unchecked'),
  verify: never('switches off the check of what arrived'),
} satisfies Readonly<Record<OptionName, KeyRule>>;

const copying = Object.fromEntries(
  ['to', 'address', 'key', 'missing', 'endpoint', 'region', 'concurrency', 'perHost', 'bandwidth', 'maxBytes']
    .concat('timeout', 'dimensions', 'thumbnails', 'credentials', 'token', 'tokenHosts')
    .map((key) => [`jobs[].media.${key}`, never(media)]),
);

/** Rules by key: dotted, `[]` for the elements of a list. `jobs[].store` has the rule of `store`, as every option of a job. */
const keyRules: Readonly<Record<string, KeyRule>> = {
  ...optionRules,

  export: never('decides which messages are planned and sent'),

  'jobs[].name': harmless,
  'jobs[].export': inside,
  'jobs[].export.path': inside,
  'jobs[].export.dropFolder': inside,
  // Names of files in that folder.
  'jobs[].export.pattern': harmless,
  'jobs[].export.settledFor': harmless,
  'jobs[].export.url': never('asks another machine'),
  'jobs[].export.headersFile': never('sends the content of the file'),
  'jobs[].export.command': never('is a program'),
  // The name of a file, without folders.
  'jobs[].export.format': harmless,
  'jobs[].export.timeout': harmless,
  'jobs[].export.sizeMax': harmless,
  'jobs[].export.database.url': never(otherService),
  'jobs[].export.database.cursor': never(selection),
  'jobs[].export.database.overlap': never(selection),
  'jobs[].export.database.readWhole': never(selection),
  'jobs[].export.provider.name': never(otherService),
  'jobs[].export.provider.recipe': never('decides who gets the key'),
  'jobs[].export.provider.settings': never(otherService),
  'jobs[].export.provider.apiKeyFile': never(otherService),
  'jobs[].export.provider.apiKeyVariable': never(otherService),
  'jobs[].export.provider.since': never(selection),
  'jobs[].export.provider.overlap': never(selection),
  'jobs[].export.fetch.from': never(otherService),
  'jobs[].export.fetch.apiKeyFile': never(otherService),
  'jobs[].export.fetch.apiKeyVariable': never(otherService),
  'jobs[].export.fetch.conversation': never(selection),
  'jobs[].export.fetch.since': never(selection),
  'jobs[].export.fetch.overlap': never(selection),
  'jobs[].schedule': harmless,
  'jobs[].timeZone': harmless,
  'jobs[].jitter': harmless,
  'jobs[].hours': harmless,
  'jobs[].rates[].hours': harmless,
  'jobs[].rates[].rate': harmless,
  // Old reports of the job itself: those that its state knows of.
  'jobs[].keepReports.count': harmless,
  'jobs[].keepReports.days': harmless,
  ...copying,

  'sync.state': inside,
  'sync.listen.port': never('opens a port'),
  'sync.listen.address': never('opens a port'),
  'sync.listen.allowRemote': never('opens a port to other machines'),
  'sync.webhook.url': never('notifies another machine'),
  'sync.webhook.secretFile': never('reads a secret'),
  'sync.webhook.on': never('notifies another machine'),
  'sync.log.level': harmless,
  'sync.log.file': inside,

  'fleet.database': never('decides which units run here: their programs, with your API keys'),
  'fleet.files': never(bucket),
  'fleet.endpoint': never(bucket),
  'fleet.region': never(bucket),
  'fleet.credentials': never(bucket),
  'fleet.lease': harmless,
  'fleet.heartbeat': never('decides when the units of another worker are taken over'),
  'fleet.copyEvery': harmless,
  'fleet.work': inside,
  'fleet.tenant': never("decides which tenant's units are changed"),
};

/** @param key As in the table: `jobs[].store`. */
export function ruleOf(key: string): KeyRule | undefined {
  const own = key.startsWith('jobs[].') ? key.slice('jobs[].'.length) : key;
  const name = Object.hasOwn(keyRules, key) ? key : own;
  return Object.hasOwn(keyRules, name) && (name === key || Object.hasOwn(optionRules, name))
    ? keyRules[name]
    : undefined;
}

/** Every key of the table with its rule, in its order. */
export const keysWithRules: readonly (readonly [key: string, rule: KeyRule])[] = Object.entries(keyRules);
