/** Where a sandbox and its viewer are served, unless told otherwise: `chatferry sandbox`, and `import --open` while the port is free. */
export const sandboxPort = 4000;

export const viewerAddress = `http://127.0.0.1:${sandboxPort}/viewer`;
