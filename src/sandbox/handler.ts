import type { Clock } from '../lib/clock.ts';
import { storeErrorOf } from '../lib/sqlite.ts';
import type { TransportAnswer } from '../service/transport.ts';
import { Groups } from './groups.ts';
import { Messages } from './messages.ts';
import { People } from './people.ts';
import type { Rules } from './rules.ts';
import type { SandboxStore } from './store.ts';

/** What a handler works with. */
export interface Service {
  readonly rules: Rules;
  readonly people: People;
  readonly groups: Groups;
  readonly messages: Messages;
  nowSeconds(): number;
  /** All of it or nothing is stored. @throws StoreError if the disk does not take it. */
  transaction<T>(change: () => T): T;
}

/** A request that was routed and whose key was accepted. */
export interface RoutedRequest {
  /** From the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The uid that the request acts for, in lower case; a user that exists. */
  readonly onBehalfOf: string | undefined;
  readonly body: string;
}

/** One operation of the service. */
export type Handler = (service: Service, request: RoutedRequest) => TransportAnswer;

export function createService({ db, path }: SandboxStore, rules: Rules, clock: Clock): Service {
  const people = new People(db);
  const groups = new Groups(db);
  const messages = new Messages(db);
  const run = db.transaction((change: () => unknown) => change());
  return {
    rules,
    people,
    groups,
    messages,
    nowSeconds: () => Math.floor(clock.now() / 1000),
    transaction<T>(change: () => T): T {
      try {
        return run.immediate(change) as T;
      } catch (error) {
        for (const part of [people, groups, messages]) part.forget();
        throw storeErrorOf(error, path) ?? error;
      }
    },
  };
}
