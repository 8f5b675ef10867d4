import { DatabaseDown } from '../../../src/fleet/database/database.ts';
import type { Clock } from '../../../src/lib/flow/clock.ts';
import type { Dice } from '../dice.ts';
import type { FleetModel } from './model.ts';
import type { StoppableLife } from './process.ts';

/** Timeout for a database that does not answer, in ms. */
const answerMs = 10_000;

export interface ConnectionOptions {
  readonly model: FleetModel;
  readonly world: Clock;
  readonly dice: Dice;
  readonly isDown: () => boolean;
}

/** The way of one worker to the database. */
export class Connection {
  isCut = false;
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** One transaction. @throws DatabaseDown; then it may have been committed nevertheless. */
  query<T>(life: StoppableLife, ask: (model: FleetModel) => T): Promise<T> {
    life.moment();
    return life.isOver ? new Promise(() => {}) : life.through(this.#exchange(ask));
  }

  async #exchange<T>(ask: (model: FleetModel) => T): Promise<T> {
    const { model } = this.#options;
    await this.#travel();
    const answer = ask(model);
    await this.#travel();
    return answer;
  }

  async #travel(): Promise<void> {
    const { world, dice, isDown } = this.#options;
    await world.sleep(dice.chance(0.02) ? dice.between(100, 2000) : 1 + 3 * dice.next());
    if (!this.isCut && !isDown()) return;
    await world.sleep(dice.between(1, answerMs));
    throw new DatabaseDown('The database does not answer', { path: 'simulated' });
  }
}
