import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { summaryOf, type SummaryServer } from '../../../src/page/embedding/summary.ts';
import { now, schedule, server } from '../../embeds/contract-data.ts';
import { hostileTexts } from '../../embeds/hostile-texts.ts';

/** What readers of Statuspage's API v2 expect; MongoDB describes the same form for its own status page. */
const time = z.iso.datetime();
const text = z.string().min(1);
const componentSchema = z.strictObject({
  id: text,
  name: text,
  status: z.enum([
    'operational',
    'degraded_performance',
    'partial_outage',
    'major_outage',
    'under_maintenance',
  ]),
  created_at: time,
  updated_at: time,
  position: z.int(),
  description: z.string().nullable(),
  showcase: z.boolean(),
  start_date: z.string().nullable(),
  group_id: z.string().nullable(),
  page_id: text,
  group: z.boolean(),
  only_show_if_degraded: z.boolean(),
});
const incident = z.strictObject({
  id: text,
  name: text,
  status: z.enum(['investigating', 'identified', 'monitoring', 'resolved', 'postmortem']),
  impact: z.enum(['none', 'minor', 'major', 'critical']),
  created_at: time,
  updated_at: time,
  started_at: time,
  monitoring_at: time.nullable(),
  resolved_at: time.nullable(),
  shortlink: z.url().nullable(),
  page_id: text,
  incident_updates: z.array(
    z.strictObject({
      id: text,
      status: text,
      body: text,
      incident_id: text,
      created_at: time,
      updated_at: time,
      display_at: time.nullable(),
      affected_components: z.array(
        z.strictObject({ code: text, name: text, old_status: text, new_status: text }),
      ),
    }),
  ),
  components: z.array(componentSchema),
});
const summarySchema = z.strictObject({
  page: z.strictObject({
    id: text,
    name: text,
    url: z.url().nullable(),
    time_zone: text,
    updated_at: time,
  }),
  status: z.strictObject({
    indicator: z.enum(['none', 'minor', 'major', 'critical', 'maintenance']),
    description: text,
  }),
  components: z.array(componentSchema),
  incidents: z.array(incident),
  scheduled_maintenances: z.array(
    incident.extend({
      status: z.enum(['scheduled', 'in_progress', 'verifying', 'completed']),
      impact: z.literal('maintenance'),
      scheduled_for: time,
      scheduled_until: time,
    }),
  ),
});

const minute = 60_000;
const online: SummaryServer = {
  server: server(),
  schedules: [],
  downSince: null,
  url: 'https://play.example.org/servers/northwood-1',
};
const offline: SummaryServer = {
  ...online,
  server: server({ id: 'northwood-2', name: 'Livonia', status: 'OFFLINE', players: null }),
  downSince: now - 42 * minute,
};
const unknown: SummaryServer = {
  ...online,
  server: server({ id: 'northwood-3', name: 'Sakhal', status: 'UNKNOWN', players: null, checkedAt: null }),
};

const summarize = (servers: readonly SummaryServer[], at = now, name = 'Northwood') =>
  summarySchema.parse(
    summaryOf({
      project: { id: 'northwood', name, url: 'https://play.example.org/' },
      servers,
      now: at,
    }),
  );
/** Daily at 20:00 in Berlin, which is half an hour after `now`. */
const soon = (over: Parameters<typeof schedule>[0] = {}) =>
  schedule({ recurrence: 'DAILY', intervalMinutes: null, timeOfDay: '20:00', ...over });

describe('the summary for status dashboards', () => {
  it.each([
    [[online], 'none', ['operational']],
    [[], 'none', []],
    [[online, offline], 'major', ['operational', 'major_outage']],
    [[offline], 'critical', ['major_outage']],
    [[online, unknown], 'minor', ['operational', 'degraded_performance']],
    [[offline, unknown], 'major', ['major_outage', 'degraded_performance']],
  ])('%#: blends the states of all servers', (servers, indicator, statuses) => {
    const { status, components } = summarize(servers);
    expect(status.indicator).toBe(indicator);
    expect(components.map((component) => component.status)).toEqual(statuses);
  });

  it('leaves out a server that has never answered, whose state nothing reports', () => {
    const mute = { ...unknown, server: { ...unknown.server, map: null, maxPlayers: null } };
    const neverOn = { ...offline, server: { ...mute.server, id: 'northwood-4', status: 'OFFLINE' as const } };
    const { status, components } = summarize([online, mute, neverOn]);
    expect(status.indicator).toBe('none');
    expect(components.map(({ id }) => id)).toEqual(['northwood-1']);
    const silent = summarize([mute]);
    expect(silent.page.updated_at).toBe(new Date(now).toISOString());
    expect([status, silent.status].map(({ description }) => description)).toEqual([
      'All Systems Operational',
      'No Server Reports Its State',
    ]);
  });

  it('has an incident for each server that is down, since it last answered', () => {
    const { incidents } = summarize([online, offline]);
    expect(incidents).toHaveLength(1);
    expect(incidents[0]).toMatchObject({
      name: 'Livonia is not responding',
      started_at: new Date(now - 42 * minute).toISOString(),
      components: [{ id: 'northwood-2' }],
    });
    const { incidents: unsure } = summarize([{ ...offline, downSince: null }]);
    expect(unsure[0]?.started_at).toBe(offline.server.checkedAt);
  });

  it('keeps the id of an incident as long as it lasts', () => {
    const later = { ...offline, server: { ...offline.server, checkedAt: new Date(now).toISOString() } };
    const [first, second] = [offline, later].map((each) => summarize([each], now + minute).incidents[0]);
    expect(first?.id).toBe(second?.id);
    expect(first?.updated_at).toBe(second?.updated_at);
  });

  it('lists restarts, maintenance and wipes, the next first, and no events', () => {
    const schedules = [
      soon({ title: 'Big night', kind: 'EVENT' }),
      soon({ title: 'Wipe', kind: 'WIPE', timeOfDay: '23:00' }),
      soon({ title: 'Restart' }),
    ];
    const { scheduled_maintenances: scheduled } = summarize([{ ...online, schedules }]);
    expect(scheduled.map(({ name, status, scheduled_for: at }) => [name, status, at])).toEqual([
      ['Restart · Northwood | Chernarus', 'scheduled', '2026-11-20T19:00:00.000Z'],
      ['Wipe · Northwood | Chernarus', 'scheduled', '2026-11-20T22:00:00.000Z'],
    ]);
  });

  it('takes a server that is gone during its restart as under maintenance, not as down', () => {
    const restarting = { ...offline, schedules: [soon()] };
    const at = (minutes: number) =>
      summarize([restarting], Date.parse('2026-11-20T19:00:00Z') + minutes * minute);
    // Scripts begin a little early.
    expect(at(-4).components[0]?.status).toBe('under_maintenance');
    const during = at(14);
    expect(during.status.indicator).toBe('maintenance');
    expect(during.components[0]?.status).toBe('under_maintenance');
    expect(during.incidents).toEqual([]);
    expect(during.scheduled_maintenances[0]).toMatchObject({ status: 'in_progress' });
    // It did not come back.
    const after = at(16);
    expect(after.status.indicator).toBe('critical');
    expect(after.incidents).toHaveLength(1);
    expect(after.scheduled_maintenances[0]).toMatchObject({ status: 'scheduled' });
  });

  it('stays in its form with hostile names and without schedules', () => {
    for (const name of hostileTexts(200)) {
      const named = { ...offline, server: { ...offline.server, name }, schedules: [soon({ title: name })] };
      const { components, incidents } = summarize([named, { ...online, schedules: null }]);
      expect(components[0]?.name).not.toMatch(/[\n\u202e]/);
      expect(incidents).toHaveLength(1);
    }
  });
});
