import type { KeptBack } from '../model/kept-back.ts';
import { keepBack } from '../plan/kept-back.ts';
import { type BesideReading, nothingBeside, type ReadingResult } from '../model/reading-result.ts';
import type { ReadingRules } from '../mapping/rules.ts';
import type { Store } from '../store/open.ts';
import { firedAlarms } from './alarms.ts';
import { type AnswerFacts, answerOf } from './answers.ts';
import { alarmName, type Decision } from './decision.ts';
import { confirmedRules, type Judgement, judgeReading, type Reading, storedReading } from './reading/confirmation.ts';
import { drawPicture, type Picture } from './reading/picture.ts';

/** The reading of a plan, what becomes of its rows, and whether anything stands between them and the destination. */
export interface DescribedReading extends Judgement {
  readonly reading: Reading;
  /** The section `reading` of the mapping. */
  readonly rules: ReadingRules;
  readonly alarms: readonly Decision[];
  readonly picture: Picture;
  readonly messages: number;
}

/**
 * @param rules The section `reading` of the mapping as it is now; by default as the plan has read it.
 * @returns Undefined for a source whose fields are fixed, and before the first plan.
 */
export function describeReading(store: Store, rules: ReadingRules = storedRules(store)): DescribedReading | undefined {
  const reading = storedReading(store);
  const result = store.facts.reading();
  if (reading === undefined || result === undefined) return undefined;
  return describeResult(reading, result, {
    beside: store.facts.beside()?.found,
    rules,
    kept: keptAlarms(store, rules),
  });
}

interface ResultFacts {
  readonly beside?: BesideReading | undefined;
  readonly rules: ReadingRules;
  readonly kept?: readonly Decision[];
}

/** Alarms that keep messages back until a person decides, whether or not they would fire today: a share falls with every row that comes. */
function keptAlarms(store: Store, { seen }: ReadingRules): readonly Decision[] {
  const text = store.facts.read('keptBack');
  const kept = text === undefined ? undefined : (JSON.parse(text) as KeptAlarms);
  return kept?.alarms.filter((alarm) => kept.seen[alarmName(alarm)] === seen[alarmName(alarm)]) ?? [];
}

type KeptAlarms = Pick<ReadingRules, 'seen'> & { readonly alarms: readonly Decision[] };

/** Keeps back what the alarms of a confirmed reading are about. */
export function keepBackUndecided(store: Store, { keepsBack, rules: { seen } }: DescribedReading): void {
  if (keepsBack.length === 0 && store.facts.read('keptBack') === undefined) return;
  const write = store.transaction(() => {
    const kept: readonly string[] = keepBack(store, keepsBack.map(alarmName) as KeptBack[]);
    const shown: KeptAlarms = { seen, alarms: keepsBack.filter((alarm) => kept.includes(alarmName(alarm))) };
    if (kept.length === 0) store.facts.drop('keptBack');
    else store.facts.write('keptBack', JSON.stringify(shown));
  });
  write();
}

/** The same of rows that were counted without a plan. */
export function describeResult(
  reading: Reading,
  result: ReadingResult,
  { beside = nothingBeside, rules, kept = [] }: ResultFacts,
): DescribedReading {
  const fired = firedAlarms(result, beside, { isTable: true, seen: rules.seen });
  const alarms = [...fired, ...kept.filter(({ id }) => !fired.some((alarm) => alarm.id === id))];
  const judgement = judgeReading(reading, rules, alarms);
  return {
    ...judgement,
    reading,
    rules,
    alarms,
    picture: drawPicture(reading, result, beside),
    messages: result.messages,
  };
}

/** Decisions of a person before messages are sent: whether the picture is right, and each alarm. None if nothing stops. */
export function readingDecisions({ stops, picture, alarms, messages, digest }: DescribedReading): readonly Decision[] {
  if (stops.length === 0) return [];
  const does = 'Confirm that these messages, people and conversations are right';
  const confirming = { does, effect: { runs: `plan --confirm-reading ${digest}` }, because: '' };
  const reading: Decision = {
    id: 'reading',
    question: 'Is this your data?',
    why: stops.join(' '),
    about: { count: messages, of: 'messages', isExact: true },
    examples: picture.map(([heading, text]) => `${heading} | ${text}`),
    options: [{ ...confirming, isProposed: false, isLastResort: false }],
    ifUndecided: { stops: true },
    answer: null,
  };
  return [reading, ...alarms];
}

/** Alarms that stop nothing: those about a source whose fields are fixed, and those that keep back messages of a confirmed reading. */
export function askedAlarms(store: Store, facts: AnswerFacts): readonly Decision[] {
  const result = store.facts.reading();
  if (result === undefined) return [];
  if (storedReading(store)) {
    const { keepsBack = [] } = describeReading(store) ?? {};
    const ifUndecided = { keepsBack: 'these messages are not sent' };
    return keepsBack.map((alarm) => ({ ...alarm, ifUndecided }));
  }
  const alarms = firedAlarms(result, undefined, { isTable: false, seen: storedRules(store).seen });
  return alarms.map((alarm) => ({ ...alarm, answer: answerOf(alarm, facts) }));
}

function storedRules(store: Store): ReadingRules {
  const text = store.facts.read('confirmed');
  return { proposed: false, seen: {}, ...(text === undefined ? {} : (JSON.parse(text) as Partial<ReadingRules>)) };
}

/** The section `reading` of a mapping once a person has confirmed what was shown. */
export const confirm = (
  { reading, alarms, rules }: DescribedReading,
  who: { readonly by: string; readonly atMs: number },
): ReadingRules => confirmedRules(reading, alarms, { seen: rules.seen, ...who });
