/** Simulations are shipped, and their clock with them; tests use the same. */
export { VirtualClock } from '../simulate/virtual-clock.ts';
