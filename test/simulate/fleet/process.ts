import { Life } from '../life.ts';

/** A life that can be stopped and continued, as a virtual machine that is moved: it notices nothing of it but the time. */
export class StoppableLife extends Life {
  #stopped: PromiseWithResolvers<void> | undefined;

  stop(): void {
    this.#stopped ??= Promise.withResolvers();
  }

  goOn(): void {
    this.#stopped?.resolve();
    this.#stopped = undefined;
  }

  override through<T>(awaited: Promise<T>): Promise<T> {
    return super.through(this.#whileStopped(awaited));
  }

  async #whileStopped<T>(awaited: Promise<T>): Promise<T> {
    try {
      return await awaited;
    } finally {
      while (this.#stopped) await this.#stopped.promise;
    }
  }
}
