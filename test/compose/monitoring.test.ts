import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { compose, type Outpost } from '../../src/compose/compose.ts';
import { configSchema } from '../../src/config/schema.ts';
import { withoutDiscord } from '../harness/environment.ts';
import { northwood } from '../harness/northwood.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../../docs/grafana/${name}`, import.meta.url), 'utf8');

interface Dashboard {
  panels: { title: string; targets?: { expr: string; legendFormat: string }[] }[];
}
const dashboard = JSON.parse(read('dashboard.json')) as Dashboard;
const alerts = parse(read('alerts.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] };
const panels = dashboard.panels.filter(({ targets }) => targets !== undefined);
const rules = alerts.groups.flatMap(({ rules }) => rules);

let outpost: Outpost;
let folder: string;
let text: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-monitoring-'));
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const config = configSchema.parse({ ...northwood(), http: { port: 0, metrics: { port: 0 } } });
  const environment = withoutDiscord(folder);
  outpost = await compose({ config, environment, log });
  await (await fetch(`${outpost.url}/v1/servers`)).text();
  const [address = ''] = /http:\S+\/metrics/.exec(lines.join('')) ?? [];
  text = await (await fetch(address)).text();
});
afterAll(async () => {
  await outpost.close();
  await rm(folder, { recursive: true, force: true });
});

/** Names of metrics in PromQL: of the process's own, all begin with these words. */
const metricsIn = (expr: string): string[] => expr.match(/\b(?:outpost|process)_\w+/g) ?? [];

/** Metrics that are served, with the series of a histogram. */
function served(): string[] {
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
}

describe('the Grafana dashboard', () => {
  it.each(panels.map(({ title, targets = [] }) => [title, targets] as const))(
    '"%s" shows metrics that Outpost serves',
    (_, targets) => {
      const metrics = targets.flatMap(({ expr }) => metricsIn(expr));
      expect(metrics).not.toEqual([]);
      expect(served()).toEqual(expect.arrayContaining(metrics));
    },
  );

  it('takes its data from the chosen source and job only', () => {
    const { templating } = JSON.parse(read('dashboard.json')) as { templating: { list: { name: string }[] } };
    expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'job']);
    for (const { expr } of panels.flatMap(({ targets = [] }) => targets)) expect(expr).toContain('$job');
    expect(read('dashboard.json').match(/"uid": "(?!\$\{datasource\})/g)).toHaveLength(1);
  });
});

it.each(rules.map(({ alert, expr }) => [alert, expr]))(
  'the alert %s uses metrics that Outpost serves',
  (_, expr) => {
    // Prometheus itself makes "up".
    expect([...served(), 'up']).toEqual(expect.arrayContaining(metricsIn(expr)));
    expect(expr).toMatch(/\b(?:outpost_|up\b)/);
  },
);

it('is documented completely: every metric stands in the table', () => {
  const table = readFileSync(new URL('../../docs/operation.md', import.meta.url), 'utf8');
  const metrics = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(metrics.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});
