import type { Service } from '../http/handler.ts';
import { sowDemo } from './demo.ts';

const seeds = { demo: sowDemo } as const;

/** `demo`: a handful of made-up people, groups and messages of every kind. */
export type Seed = keyof typeof seeds;

/** Fills the service, unless it was filled with this seed before. */
export function sow(service: Service, seed: Seed): void {
  service.transaction(() => {
    if (service.markSown(seed)) seeds[seed](service);
  });
}
