import type { Arrow } from './imports.ts';

/** The folders of `src`, top to bottom: each may import those below it. `index.ts` and `cli.ts` count as folders. */
const layers = [
  'index.ts',
  'cli',
  'fleet',
  'sync',
  'selftest',
  'desk',
  'commands',
  'fetch',
  'delivery',
  'media',
  'report',
  'decisions',
  'rows',
  'plan',
  'config',
  'mapping',
  'store',
  'sources',
  'viewer',
  'sandbox',
  'service',
  'io',
  'model',
  'web',
  'lib',
] as const;

/** The same inside folders that have parts. Files next to the parts are for all of them. */
const parts: Readonly<Record<string, readonly string[]>> = {
  commands: ['repair', 'move', 'prepare', 'check'],
  delivery: ['verify', 'lanes', 'read-back', 'pace'],
  sandbox: ['serve', 'faults', 'http', 'seeds', 'operations', 'rules', 'data'],
};

/** A wall: modules that modules under `from` may not import although they are below them. */
interface Wall {
  readonly from: string;
  readonly forbids: (to: string) => boolean;
  readonly because: string;
}

const isIn =
  (...folders: readonly string[]) =>
  (path: string) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** Shapes and limits of the service, without anything that sends or judges. */
const isInSandboxShare = isIn(
  'service/contract',
  'service/import-directory.ts',
  'service/import-item.ts',
  'service/operation.ts',
  'service/operations.ts',
  'service/profiles.ts',
  'service/transport.ts',
);

/** The modules that draw a report; the rest of them is in `report/render/`. */
const drawers = ['format', 'html', 'markdown', 'terminal', 'time-bins', 'verdict'].map((name) => `report/${name}.ts`);

const isDrawing = isIn(
  'report/render',
  'report/report-data.ts',
  ...drawers,
  'decisions/decision.ts',
  'model',
  'web',
  'lib',
);

const walls: readonly Wall[] = [
  {
    from: 'sources',
    forbids: isIn('service', 'sandbox'),
    because: 'a source knows nothing of the service',
  },
  {
    from: 'sandbox',
    forbids: (to) => isIn('service')(to) && !isInSandboxShare(to),
    because: 'the sandbox shares shapes and limits with the client, never logic',
  },
  {
    from: 'report',
    forbids: isIn('plan'),
    because: 'a report is about a store; rows of the export come from rows',
  },
  ...['report/render', ...drawers].map((from) => ({
    from,
    forbids: (to: string) => !isDrawing(to),
    because: 'a report is drawn from its own data and nothing else',
  })),
];

/** Returns the error in an arrow as a sentence, or undefined. */
export function wrongArrow({ from, to }: Arrow): string | undefined {
  const arrow = `src/${from} imports src/${to}`;
  const rankFrom = layers.indexOf(layerOf(from));
  const rankTo = layers.indexOf(layerOf(to));
  if (rankFrom === -1 || rankTo === -1) return `${arrow}: a folder that is not in the list of layers`;
  if (rankTo < rankFrom) return `${arrow}: ${layers[rankTo]} lies above ${layers[rankFrom]}`;
  if (isUpInside(from, to)) return `${arrow}: ${to.split('/')[1]} lies above ${from.split('/')[1]}`;
  const inside = wrongInsideSources(from, to);
  if (inside) return `${arrow}: ${inside}`;
  const wall = walls.find((wall) => isIn(wall.from)(from) && wall.forbids(to));
  return wall && `${arrow}: ${wall.because}`;
}

function isUpInside(from: string, to: string): boolean {
  const [folderFrom, partFrom] = from.split('/');
  const [folderTo, partTo] = to.split('/');
  const order = (folderFrom === folderTo && parts[folderFrom!]) || [];
  const isBelow = order.includes(partFrom!) && order.includes(partTo!);
  return isBelow && order.indexOf(partTo!) < order.indexOf(partFrom!);
}

function layerOf(path: string): (typeof layers)[number] {
  const first = path.split('/')[0]!;
  return (first === 'cli.ts' ? 'cli' : first) as (typeof layers)[number];
}

/** Sources that read tables of any shape, and share what that takes. */
const tableSources: readonly (string | undefined)[] = ['csv', 'database', 'json', 'tables'];

/**
 * Inside `sources/` a source may import its own folder, `source.ts`, `table-source.ts` and the kit; those for tables share `tables` besides. The
 * registry and the detection name every source, so none of them knows these.
 */
function wrongInsideSources(from: string, to: string): string | undefined {
  const [sourceFrom, ...restFrom] = from.split('/').slice(1);
  const [sourceTo, ...restTo] = to.split('/').slice(1);
  if (!isIn('sources')(from) || !isIn('sources')(to) || restFrom.length === 0 || sourceFrom === sourceTo)
    return undefined;
  if (restTo.length === 0)
    return /^(?:table-)?source\.ts$/.test(sourceTo!) ? undefined : 'a source knows nothing of the others';
  if (sourceTo === 'kit') return undefined;
  if (sourceTo !== 'tables') return 'one source never imports another';
  return tableSources.includes(sourceFrom)
    ? undefined
    : 'what several sources need is in the kit; tables are for tables';
}

/** Folders of `src` whose subfolders are open to all: libraries. */
const open: readonly string[] = ['io', 'model', 'lib'];

/** What a page shares with other pages runs in the browser, so that it cannot lie beside the doors of the program. */
const pageDoor: Arrow = { from: 'desk/page', to: 'viewer/page/door.tsx' };

/**
 * A folder's top-level files are its doors; its subfolders are private: what is wrong with an arrow that goes past a door, as a sentence,
 * or nothing.
 */
export function pastDoor({ from, to }: Arrow): string | undefined {
  const [room, ...rest] = to.split('/');
  if (from.split('/')[0] === room || rest.length < 2 || open.includes(room!)) return undefined;
  if (isIn(pageDoor.from)(from) && to === pageDoor.to) return undefined;
  return `src/${from} imports src/${to}: src/${room}/${rest[0]}/ is private, import a file that lies directly in src/${room}/`;
}
