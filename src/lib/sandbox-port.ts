/** TCP port of the sandbox and its viewer, unless --port names another. */
export const sandboxPort = 4000;
