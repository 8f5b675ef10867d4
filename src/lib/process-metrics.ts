import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from './flow/clock.ts';
import { version } from './version.ts';

/**
 * The version, and the three numbers of a process that everybody looks at, under their customary names. prom-client's own set watches the
 * event loop with a timer that wakes a hundred times a second, for as long as nothing happens.
 */
export function addProcessMetrics(registry: Registry, clock: Clock): void {
  const registers = [registry];
  new Gauge({
    name: 'chatferry_build_info',
    help: 'Always 1; the version is its label',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const startSeconds = clock.now() / 1000 - process.uptime();
  new Gauge({ name: 'process_start_time_seconds', help: 'When the process started', registers }).set(startSeconds);
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory that the process holds',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time, of user and system',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
}
