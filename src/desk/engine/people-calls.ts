import { configOf } from '../../commands/session.ts';
import { trustedInit } from '../../commands/prepare.ts';
import type { Settings } from '../../lib/settings.ts';
import type { Workspace } from '../files/workspace.ts';
import type { DuplicateGroup } from '../shapes.ts';
import type { CallContext } from './call-context.ts';
import { type ToOpen, unattended } from './opened.ts';
import type { PeopleQuery } from './people-index.ts';
import type { PeopleFiles, UidChange } from './people-map.ts';
import type { InitRequest } from '../../commands/requests.ts';

/** The files that say who people are, and what writing the mapping depends on. */
export interface PeopleFacts extends ToOpen {
  readonly store: string;
  readonly mapping: string;
  readonly config: string;
  readonly workspace: string | undefined;
  /** Values of a new configuration. */
  readonly values: InitRequest['config'];
  /** Files that the user named. */
  readonly named: { readonly mapping: string | undefined; readonly config: string | undefined };
}

export interface AboutPeople {
  readonly facts: PeopleFacts;
}

/** The facts of this moment on which every question about people depends. @throws UsageError */
export function peopleFacts(workspace: Workspace): PeopleFacts {
  const options = workspace.options();
  const { store, mapping, config } = workspace.paths();
  const read = { exports: workspace.exports(), source: options.source, workspace: options.workspace };
  const named = { mapping: options.mapping, config: workspace.configPath };
  return { ...read, store, mapping, config, values: configOf(options), named };
}

export const peopleCalls = {
  /** Null before a plan. @throws UsageError */
  people: async ({ facts, query }: AboutPeople & { readonly query: PeopleQuery }, context: CallContext) =>
    (await context.people.page(toPeopleFiles(facts, context), query)) ?? null,

  /** @throws UsageError */
  duplicates: (
    { facts, ...query }: AboutPeople & { readonly by: DuplicateGroup['by']; readonly after: string | null },
    context: CallContext,
  ) => context.people.duplicates(toPeopleFiles(facts, context), query),

  /** @throws UsageError */
  peopleCsv: ({ facts }: AboutPeople, context: CallContext) => context.people.csv(toPeopleFiles(facts, context)),

  /** @throws UsageError */
  setUid: ({ facts, ...change }: AboutPeople & UidChange, context: CallContext) =>
    context.people.set(toPeopleFiles(facts, context), change),

  /** @throws UsageError */
  importPeople: ({ facts, table }: AboutPeople & { readonly table: Uint8Array }, context: CallContext) =>
    context.people.import(toPeopleFiles(facts, context), table),

  /** @throws UsageError */
  mergePeople: ({ facts, ids }: AboutPeople & { readonly ids: readonly string[] }, context: CallContext) =>
    context.people.merge(toPeopleFiles(facts, context), ids),
};

const toPeopleFiles = (facts: PeopleFacts, context: CallContext): PeopleFiles => ({
  store: facts.store,
  mapping: facts.mapping,
  decide: (settings) => writeSettings(facts, settings, context),
  progress: (done) => context.progress(done, null),
});

/** Writes settings into the mapping, as `init --set` does, without counting the export. */
export async function writeSettings(
  facts: PeopleFacts,
  settings: Settings,
  { opened, signal }: CallContext,
): Promise<void> {
  const { exports, source, workspace, mapping: mappingPath, config: configPath, values: config, named } = facts;
  const files = { exports, source, workspace, mappingPath, configPath, config };
  await trustedInit({ ...files, settings, signal, opened: await opened.get(facts), ...unattended }, named);
}
