import type { SchemaView, TableRow } from '../shapes.ts';
import { layoutTables, size } from './graph-places.ts';
import { tableHref } from './route.ts';

/** Letters of a name that fit. */
const lettersMax = 19;

/** On a phone the picture is wider than the page: the messages in its middle are in sight first. */
const centre = (picture: HTMLElement | null): void => {
  if (picture) picture.scrollLeft = (picture.scrollWidth - picture.clientWidth) / 2;
};

/** The tables that are read and their neighbours, as a picture. The list next to it says the same in words. */
export function Graph({ schema, current }: { readonly schema: SchemaView; readonly current: string | undefined }) {
  const { places, height } = layoutTables(schema);
  const links = schema.links.filter(({ from, to }) => from !== to && places.has(from) && places.has(to));
  return (
    <div class="graph" ref={centre}>
      <svg aria-hidden="true" viewBox={`0 0 ${size.width} ${height}`}>
        {links.map(({ from, to, column, isDeclared }) => {
          const [start, end] = [places.get(from)!, places.get(to)!];
          const isOn = from === current || to === current;
          return (
            <line
              key={`${from} ${column} ${to}`}
              class={isOn ? 'link on' : 'link'}
              x1={start.x}
              y1={start.y}
              x2={end.x}
              y2={end.y}
              stroke-dasharray={isDeclared ? undefined : '5 4'}
            />
          );
        })}
        {schema.tables.map((table) => {
          const place = places.get(table.name);
          return place && <Node key={table.name} table={table} place={place} isCurrent={table.name === current} />;
        })}
      </svg>
    </div>
  );
}

interface NodeProps {
  readonly table: TableRow;
  readonly place: { readonly x: number; readonly y: number };
  readonly isCurrent: boolean;
}

function Node({ table: { name, role }, place: { x, y }, isCurrent }: NodeProps) {
  const shown = name.length > lettersMax ? `${name.slice(0, lettersMax - 1).toWellFormed()}…` : name;
  const { nodeWidth, nodeHeight } = size;
  return (
    <a href={tableHref(name)} tabindex={-1} class={`node${role === null ? '' : ' read'}${isCurrent ? ' on' : ''}`}>
      <title>{name}</title>
      <rect x={x - nodeWidth / 2} y={y - nodeHeight / 2} width={nodeWidth} height={nodeHeight} rx="8" />
      <text x={x} y={role === null ? y + 4 : y - 2} text-anchor="middle">
        {shown}
      </text>
      {role !== null && (
        <text class="role" x={x} y={y + 13} text-anchor="middle">
          {role}
        </text>
      )}
    </a>
  );
}
