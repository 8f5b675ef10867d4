/** Faults that simulations cause. Requests fail in all of them. */
const scenarios = {
  faults: 'The network and the service fail in every way; nobody dies',
  kills: 'The client is killed at any instant and started again; the service restarts; clocks jump',
  'old-store': 'Copies of the store, taken while messages were on their way, are put back',
  'second-machine':
    'Another machine goes on with a store of its own, and back; others write into the same conversations',
  clocks: 'The clock is years ahead or behind between the plan and each import, and is put right in the middle of one',
  'two-stores':
    'Two machines with stores of their own send the same messages to the same conversations at the same time',
  listing:
    'Listings show no muids, repeat the edges of their pages, show messages late, or are longer than the client takes',
  'declared-refused': 'The service is declared to refuse duplicates, so unknown outcomes are sent again at once',
  paced: 'The service allows so many requests a minute, and says so in its answers',
  refusals: 'The service refuses some messages, and some requests as a whole',
  'own-error-late':
    'The service answers with its own error, and applies the request nearly as late as the grace is long',
  'stored-refused': 'The service refuses requests as a whole, with every code, and has stored them or a part of them',
  poison: 'Up to six messages in ten break every request that holds them; the others are stored, or nothing is',
  'bad-rows':
    'One, twenty or sixty messages in a hundred are never stored: the service answers 500 after storing the others',
  halves: 'The service stores each message of a request or not, by chance, and answers 500',
  sick: 'A third of the requests fail, whatever is in them: nothing may be refused for that',
  people:
    'Imports of people, groups and members fail in every way; clients are killed; some were at the service before',
  'people-refused':
    'The service refuses imports and removals of members, of people and groups, as a whole or in part, and has applied them or a part of them; some are members for the import alone',
} as const;

export type ScenarioName = keyof typeof scenarios;

export const scenarioNames = Object.keys(scenarios) as readonly ScenarioName[];
