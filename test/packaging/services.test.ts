import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parser } from 'sax';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The texts of an XML file's elements, by their names. Strict: a mistake in the XML throws. */
function elementsOf(xml: string): Map<string, string> {
  const elements = new Map<string, string>();
  const open: string[] = [];
  const reader = Object.assign(parser(true, { trim: true }), {
    onopentag({ name }: { name: string }) {
      open.push(name);
      elements.set(name, '');
    },
    ontext: (text: string) => elements.set(open.at(-1) ?? '', text),
    onclosetag: () => open.pop(),
  });
  reader.write(xml).close();
  return elements;
}

it('describes the Windows service with what WinSW 2.12 and 3 know, and stops Node.js itself', () => {
  const elements = elementsOf(read('packaging/windows/outpost-service.xml'));
  const known = new Set(
    'service id name description executable arguments workingdirectory startmode serviceaccount domain user username stoptimeout onfailure resetfailure logpath log sizeThreshold keepFiles'.split(
      ' ',
    ),
  );
  expect([...elements.keys()].filter((name) => !known.has(name))).toEqual([]);
  expect(elements.get('executable')).toBe('C:\\Outpost\\node\\node.exe');
  expect(elements.get('arguments')).toBe('"C:\\Outpost\\app\\dist\\main.js" start');
  // Version 2 reads the first two, and version 3 the last; either takes LocalSystem without.
  expect(['domain', 'user', 'username'].map((name) => elements.get(name))).toEqual([
    'NT AUTHORITY',
    'LocalService',
    'NT AUTHORITY\\LocalService',
  ]);
  // An update empties the folder of the program, so nothing of the owner is in it.
  expect([elements.get('workingdirectory'), elements.get('logpath')]).toEqual(['%BASE%', '%BASE%\\logs']);
  expect(read('docs/setup-windows.md')).toContain(
    'Copy `C:\\Outpost\\service\\outpost-service.xml` into `C:\\OutpostData`',
  );
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(!hasSystemd)('describes the Linux service with what systemd knows (needs systemd-analyze)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-unit-'));
  const file = join(folder, 'outpost.service');
  // The program and its documentation are not installed here.
  const unit = read('packaging/systemd/outpost.service').replace('/opt/outpost/outpost start', '/bin/true');
  writeFileSync(file, unit);
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
    encoding: 'utf8',
  });
  expect({ status, ours: `${stdout}${stderr}`.split('\n').filter((line) => line.includes(file)) }).toEqual({
    status: 0,
    ours: [],
  });
  rmSync(folder, { recursive: true });
});

it('reloads the Linux service with what every Linux has', () => {
  const unit = read('packaging/systemd/outpost.service');
  expect(unit).toContain("\nExecReload=/bin/sh -c 'kill -HUP $MAINPID'\n");
});

it('runs the container read-only, without rights, and leaves it time to stop', () => {
  const { services } = parse(read('compose.yaml')) as { services: { outpost: Record<string, unknown> } };
  expect(services.outpost).toMatchObject({
    read_only: true,
    init: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    ports: ['127.0.0.1:8080:8080'],
    // Where game servers on the same machine answer from the address that was asked.
    network_mode: 'bridge',
    extra_hosts: ['host.docker.internal:host-gateway'],
  });
  const image = read('Dockerfile');
  expect(image).toContain('USER 1000:1000');
  // Only a program can be run by its name, as in docker compose exec outpost outpost doctor.
  expect(image).toMatch(
    /chmod \+x \/app\/dist\/main\.js\n[^]*ln -s \/opt\/outpost\/dist\/main\.js \/usr\/local\/bin\/outpost /,
  );
  for (const [, variable] of image.matchAll(/\b(OUTPOST_[A-Z_]+)=/g)) {
    expect(read('src/config/environment.ts')).toContain(`${variable}:`);
  }
});

it.skipIf(process.platform === 'win32')(
  'composes a published image or builds one, and the compose file of a release names its own image',
  () => {
    type Compose = { services: { outpost: Record<string, unknown> } };
    const { image, build } = (parse(read('compose.yaml')) as Compose).services.outpost;
    expect({ image, build }).toEqual({ image: '${OUTPOST_IMAGE:-outpost}', build: '.' });

    const { jobs } = parse(read('.github/workflows/release.yml')) as {
      jobs: { release: { steps: { name?: string; run?: string }[] } };
    };
    const step = jobs.release.steps.find(({ name }) => name === 'The compose file names the image');
    const folder = mkdtempSync(join(tmpdir(), 'outpost-compose-'));
    mkdirSync(join(folder, 'release'));
    writeFileSync(join(folder, 'compose.yaml'), read('compose.yaml'));
    const env = { PATH: process.env['PATH'], TAG: 'v1.2.3', REPOSITORY: 'Some/Outpost' };
    expect(spawnSync('bash', ['-ec', step?.run ?? 'false'], { cwd: folder, env }).status).toBe(0);
    const released = readFileSync(join(folder, 'release/compose.yaml'), 'utf8');
    rmSync(folder, { recursive: true });
    const { services } = parse(released) as Compose;
    expect(services.outpost).toMatchObject({ image: 'ghcr.io/some/outpost:1.2.3', read_only: true });
    expect(services.outpost).not.toHaveProperty('build');
  },
);

it('keeps secrets and what was built elsewhere out of the image', () => {
  const ignored = read('.dockerignore').split('\n');
  expect(ignored).toEqual(
    expect.arrayContaining(['**/.env', 'config/outpost.yaml', 'data', '**/node_modules', '**/dist']),
  );
});

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<
    string,
    { steps: { uses?: string; run?: string }[]; strategy?: { matrix: { node?: string[] } } }
  >;
}

it.each(['ci', 'release'])('gives the workflow %s no right to write, and lets it run what exists', (name) => {
  const { permissions, jobs } = parse(read(`.github/workflows/${name}.yml`)) as Workflow;
  expect(permissions).toEqual({ contents: 'read' });
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  for (const { uses, run = '' } of steps) {
    if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    for (const [, script] of run.matchAll(/npm run ([\w:]+)/g))
      expect(Object.keys(scripts)).toContain(script);
  }
});

it('checks every supported Node.js from the oldest on', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml')) as Workflow;
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  const [oldest] = /\d+/.exec(engines.node) ?? [];
  expect(jobs['check']?.strategy?.matrix.node?.[0]).toBe(oldest);
});

interface IssueForm {
  name: string;
  description: string;
  body: { type: string; id?: string; attributes: Record<string, unknown> }[];
}

it.each(['bug', 'log-format', 'idea'])('has an issue form %s as GitHub reads it', (name) => {
  const form = parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`)) as IssueForm;
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  const inputs = form.body.filter(({ type }) => type !== 'markdown');
  expect(new Set(inputs.map(({ id }) => id)).size).toBe(inputs.length);
  for (const { type, attributes } of form.body) {
    expect(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']).toContain(type);
    expect(attributes).toHaveProperty(type === 'markdown' ? 'value' : 'label');
    if (type === 'dropdown') expect(attributes['options']).not.toHaveLength(0);
  }
});

it('has scripts that their shells can read', () => {
  for (const [shell, path] of [
    ['sh', 'packaging/launchers/outpost'],
    ['bash', 'packaging/pterodactyl/install.sh'],
  ] as const) {
    if (process.platform !== 'win32') execFileSync(shell, ['-n', join(root, path)]);
  }
});
