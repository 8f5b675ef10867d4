/** Simulations are shipped, and their clock with them; tests use the same. */
export { VirtualClock } from '../../src/run/simulate/virtual-clock.ts';
