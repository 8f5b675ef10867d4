import { expect, it } from 'vitest';
import { PeopleAhead, type PeopleAheadOptions } from '../../src/desk/engine/people-ahead.ts';

/** What is asked of the engine, in a desk whose plan, decisions and run are set by the test. */
function scene() {
  const asked: string[] = [];
  const now = { plan: null as unknown, open: null as number | null, isBusy: false };
  const paths = { store: 'chatferry.db', mapping: 'chatferry.mapping.yaml', config: 'chatferry.yaml' };
  const options = {
    workspace: {
      report: () => now.plan,
      options: () => ({}),
      paths: () => paths,
      exports: () => ['export'],
      configPath: undefined,
    },
    runner: {
      get isBusy() {
        return now.isBusy;
      },
    },
    deciding: {
      get open() {
        return now.open;
      },
    },
    engine: { call: async (name: string) => void asked.push(name) },
  } as unknown as PeopleAheadOptions;
  const ahead = new PeopleAhead(options);
  const check = (): readonly string[] => {
    ahead.check();
    return asked.splice(0);
  };
  return { now, asked: check };
}

const planOf = (total: number) => ({ people: { total } });

it('the people of each plan are read once before they are asked for, behind its decisions', () => {
  const { now, asked } = scene();
  expect(asked()).toEqual([]);
  now.plan = planOf(100_000);
  expect(asked()).toEqual([]);
  now.open = 2;
  expect([asked(), asked()]).toEqual([['people'], []]);
  Object.assign(now, { plan: planOf(3), isBusy: true });
  expect(asked()).toEqual([]);
  now.isBusy = false;
  expect([asked(), asked()]).toEqual([['people'], []]);
});

it('so many people that they would keep others waiting are read when they are asked for', () => {
  const { now, asked } = scene();
  Object.assign(now, { plan: planOf(200_001), open: 0 });
  expect(asked()).toEqual([]);
});
