import type { Decision } from '../../decisions/decision.ts';
import type { CardGroup } from '../shapes.ts';

/** Beginnings of keys by what they decide; the first that fits. */
const groups: readonly (readonly [group: CardGroup, keys: RegExp])[] = [
  ['who', /^(?:source\.)?(?:tables\.users|users\.|people\.|messages\.(?:author|authorName))/],
  [
    'seen by',
    /^(?:source\.)?(?:conversations\.type|members\.|messages\.(?:only|skipWhen|internal|restricted|deleted))/,
  ],
  ['where', /^(?:source\.)?(?:tables\.(?:conversations|members)|conversations\.|messages\.conversation)/],
  ['when', /^(?:source\.)?(?:zone|messages\.(?:time|order|tooOld))/],
  ['files', /^(?:source\.)?(?:tables\.attachments|attachments\.|files\.|media\.|messages\.attachment)/],
  ['platform lines', /^(?:source\.)?messages\.(?:kind|system|calls)/],
];

/** Returns what a decision is about, by the keys that it sets. */
export function findGroup({ id, options }: Pick<Decision, 'id' | 'options'>): CardGroup {
  const keys = options.flatMap(({ effect }) =>
    'sets' in effect ? Object.keys(effect.sets) : 'asks' in effect ? [effect.asks] : [],
  );
  const found = [id, ...keys].flatMap((key) => groups.find(([, pattern]) => pattern.test(key))?.[0] ?? []);
  return found[0] ?? 'words';
}
