import { spawn } from 'node:child_process';

/** Programs that show an address in a browser, by platform. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Shows an address of Chatferry's in the user's browser. Does nothing if there is no browser: the address is printed
 * anyway.
 *
 * @param env `BROWSER` names another program, as on many systems.
 */
export function openPage(url: string, env: Readonly<Record<string, string | undefined>>): void {
  const [program, ...args] = env.BROWSER ? [env.BROWSER] : (openers[process.platform] ?? ['xdg-open']);
  try {
    const child = spawn(program!, [...args, url], { stdio: 'ignore', detached: true });
    child.on('error', () => {});
    child.unref();
  } catch {
    // A name that no program can have.
  }
}
