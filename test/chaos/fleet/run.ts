import { formatCount } from '../../../src/lib/text/count.ts';
import { type FleetChaosOptions, type FleetChaosResult, fleetChaos } from './fleet-chaos.ts';
import type { FleetEvents } from './events.ts';

const whole: FleetEvents = { kills: 100, stops: 20, crashes: 5, restores: 2, damages: 10 };
/** Time between events: usually, another worker has taken over from a killed one before the next event. */
const everyMs = 8_000;
/** How often it says how far it is, in ms. */
const progressEveryMs = 20_000;

/** All of it, or a share; says what came of it. @returns Whether the promise was kept. */
export async function runFleet({
  seed,
  share,
  files,
}: Pick<FleetChaosOptions, 'seed' | 'files'> & { readonly share: number }): Promise<boolean> {
  console.error(`npm run chaos -- --fleet --seed ${seed} --files ${files}`);
  const scaled = (count: number) => Math.ceil(count * share);
  const { kills, stops, crashes, restores, damages } = whole;
  const startedMs = performance.now();
  let saidMs = Number.NEGATIVE_INFINITY;
  const result = await fleetChaos({
    seed,
    everyMs,
    files,
    ...{ kills: scaled(kills), stops: scaled(stops), crashes: scaled(crashes) },
    ...{ restores: scaled(restores), damages: scaled(damages) },
    onProgress(words) {
      if (performance.now() - saidMs < progressEveryMs) return;
      saidMs = performance.now();
      console.error(`${Math.round((saidMs - startedMs) / 1000)} s`.padStart(7), words);
    },
  });
  console.log(describeFleetChaos(result));
  return result.problems.length === 0;
}

/** Describes the events, the counts, and the folder to inspect. */
export function describeFleetChaos({ seed, figures, counts, problems, folder }: FleetChaosResult): string {
  const { claimMs, requestMs, ...others } = figures;
  const spread = ({ count, p50, p95, max }: typeof claimMs) =>
    `p50 ${p50} ms, p95 ${p95} ms, max ${max} ms, of ${count}`;
  const lines = [
    `seed ${seed}: ${Object.entries(others)
      .map(([name, count]) => `${formatCount(count)} ${name}`)
      .join(', ')}`,
    `from a kill to the next claim of its units: ${spread(claimMs)}; to their first request: ${spread(requestMs)}`,
    Object.entries(counts)
      .map(([name, count]) => `${name} ${formatCount(count)}`)
      .join(', '),
    ...problems.map((problem) => `- ${problem}`),
    folder === null ? 'Nothing lost, nothing twice, nothing out of order.' : `FAILED: everything is in ${folder}`,
  ];
  return lines.join('\n');
}
