import { describe, expect, it } from 'vitest';
import { endOf, periodsOf, runningSeason } from '../../src/community/periods.ts';
import { configSchema, type ConfigInput } from '../../src/config/schema.ts';

const now = Date.parse('2026-11-25T12:00:00Z');
const iso = (at: number | null | undefined) => (at == null ? at : new Date(at).toISOString());

function projectWith(over: Partial<ConfigInput['projects'][number]>) {
  const server = { id: 's', name: 'S', host: '127.0.0.1', port: 2302, timezone: 'Europe/Berlin' };
  const { projects } = configSchema.parse({
    projects: [{ slug: 'p', name: 'P', servers: [server], ...over }],
  });
  return projects[0]!;
}
const wipe = (over: object = {}) => ({
  kind: 'WIPE',
  title: 'Wipe',
  recurrence: 'WEEKLY',
  public: true,
  ...over,
});
const withSchedules = (...schedules: object[]) =>
  projectWith({
    servers: [
      { id: 's', name: 'S', host: '127.0.0.1', port: 2302, timezone: 'Europe/Berlin', schedules },
    ] as ConfigInput['projects'][number]['servers'],
  });
const lastWipe = (project: ReturnType<typeof projectWith>) => {
  const period = periodsOf(project, now).find(({ kind }) => kind === 'wipe');
  return period && [iso(period.from), iso(period.previous?.from)];
};

it('week and month begin in the zone of the first server, without one in UTC', () => {
  const from = (project: ReturnType<typeof projectWith>) =>
    periodsOf(project, now).map(({ id, from: start, previous }) => [id, iso(start), iso(previous?.from)]);
  expect(from(projectWith({}))).toEqual([
    ['week', '2026-11-22T23:00:00.000Z', '2026-11-15T23:00:00.000Z'],
    ['month', '2026-10-31T23:00:00.000Z', '2026-09-30T22:00:00.000Z'],
  ]);
  expect(from(projectWith({ servers: [] }))[0]).toEqual([
    'week',
    '2026-11-23T00:00:00.000Z',
    '2026-11-16T00:00:00.000Z',
  ]);
});

it('a period ends with the calendar, or when the next season or wipe begins', () => {
  const ends = (project: ReturnType<typeof projectWith>) =>
    Object.fromEntries(
      periodsOf(project, now).flatMap((period) =>
        period.until === null ? [[period.kind, iso(endOf(project, period, now))]] : [],
      ),
    );
  const calendar = { week: '2026-11-29T23:00:00.000Z', month: '2026-11-30T23:00:00.000Z' };
  const seasons = [
    { name: 'One', start: '2026-06-01T00:00:00Z' },
    { name: 'Two', start: '2026-12-24T00:00:00Z' },
  ];
  expect(ends(projectWith({ wipes: ['2026-11-20T18:00:00Z'], seasons }))).toEqual({
    ...calendar,
    season: '2026-12-24T00:00:00.000Z',
    wipe: null,
  });
  const thursdays = withSchedules(wipe({ weekdays: ['THU'], timeOfDay: '19:00' }));
  expect(ends(thursdays)).toEqual({ ...calendar, wipe: '2026-11-26T18:00:00.000Z' });
});

describe('a season', () => {
  const seasons = [
    { name: 'Next', start: '2027-01-01T00:00:00Z' },
    { name: 'Second', start: '2026-11-01T00:00:00Z' },
    { name: 'First', start: '2026-06-01T00:00:00Z' },
  ];

  it('ends when the next one begins, not when that is announced', () => {
    const found = periodsOf(projectWith({ seasons }), now).filter(({ kind }) => kind === 'season');
    expect(found.map(({ name, until, previous }) => [name, iso(until), previous?.name])).toEqual([
      ['Second', null, 'First'],
      ['First', '2026-11-01T00:00:00.000Z', undefined],
    ]);
  });

  it('is the one of a moment; the month where there is none', () => {
    const project = projectWith({ seasons });
    expect(runningSeason(project, now).name).toBe('Second');
    expect(runningSeason(project, Date.parse('2026-07-01T00:00:00Z')).name).toBe('First');
    expect(runningSeason(project, Date.parse('2026-03-05T00:00:00Z'))).toMatchObject({
      kind: 'month',
      from: Date.parse('2026-02-28T23:00:00Z'),
    });
  });
});

describe('the last wipe', () => {
  it('is the latest in the config that has been', () => {
    const wipes = ['2026-11-20T18:00:00Z', '2026-12-04T18:00:00Z', '2026-11-06T18:00:00Z'];
    expect(lastWipe(projectWith({ wipes }))).toEqual([
      '2026-11-20T18:00:00.000Z',
      '2026-11-06T18:00:00.000Z',
    ]);
    expect(lastWipe(projectWith({ wipes: [wipes[2]!] }))).toEqual([
      '2026-11-06T18:00:00.000Z',
      '1970-01-01T00:00:00.000Z',
    ]);
    expect(lastWipe(projectWith({}))).toBeUndefined();
  });

  it('is that of a public schedule, on the clock of its server', () => {
    const thursdays = wipe({ weekdays: ['THU'], timeOfDay: '19:00' });
    expect(lastWipe(withSchedules(thursdays))).toEqual([
      '2026-11-19T18:00:00.000Z',
      '2026-11-12T18:00:00.000Z',
    ]);
    expect(
      lastWipe(withSchedules({ ...thursdays, public: false }, { ...thursdays, active: false })),
    ).toBeUndefined();
    expect(lastWipe(withSchedules({ ...thursdays, kind: 'EVENT' }))).toBeUndefined();
    const { servers, ...rest } = withSchedules(thursdays);
    expect(lastWipe({ ...rest, servers: servers.map((one) => ({ ...one, active: false })) })).toBeUndefined();
    const monthly = wipe({ recurrence: 'INTERVAL', intervalMinutes: 28 * 1440 });
    expect(lastWipe(withSchedules(monthly))?.[0]).toMatch(/^2026-1[01]-\d\dT2[23]:00/);
  });
});
