import type { ConfigInput } from '../../../src/config/schema.ts';

type Schedule = NonNullable<
  NonNullable<ConfigInput['projects'][number]['servers']>[number]['schedules']
>[number];

/** Every recurrence, and every way of not being shown. */
const schedules: Schedule[] = [
  {
    kind: 'RESTART',
    title: 'Restart',
    recurrence: 'INTERVAL',
    intervalMinutes: 240,
    timeOfDay: '02:00',
    timezone: 'America/New_York',
    public: true,
  },
  { kind: 'OTHER', title: 'Reminder', recurrence: 'INTERVAL', intervalMinutes: 30, public: true },
  { kind: 'EVENT', title: 'Airdrop', recurrence: 'DAILY', timeOfDay: '20:15', public: true },
  {
    kind: 'WIPE',
    title: 'Wipe',
    description: 'All is gone',
    recurrence: 'WEEKLY',
    timeOfDay: '04:00',
    weekdays: ['MON', 'FRI'],
    public: true,
  },
  { kind: 'MAINTENANCE', title: 'Private', recurrence: 'DAILY', timeOfDay: '04:00' },
  { kind: 'EVENT', title: 'Inactive', recurrence: 'DAILY', timeOfDay: '04:00', public: true, active: false },
  { kind: 'EVENT', title: 'Inactive and private', recurrence: 'DAILY', timeOfDay: '04:00', active: false },
];

const dayzQueryPortOffset = 24_714;

/** Query ports of the simulated game servers. */
export interface Ports {
  live: number;
  dead: number;
  fading: number;
}

/**
 * Northwood holds what is looked at; Southshore is another project; Order is the one whose plan and suspension cases
 * change; Freehold and Litehold are on the lower plans.
 */
export function conformanceConfig({ live, dead, fading }: Ports): ConfigInput {
  const host = '127.0.0.1';
  // From this game port the query port follows by the game's rule: the poller finds it, the live list must not.
  const port = live - dayzQueryPortOffset;
  const elsewhere = (slug: string) => [{ id: `${slug}-1`, name: slug, host, port }];
  return {
    http: { supportUrl: 'https://example.org/support/' },
    live: { pollSeconds: 1 },
    projects: [
      {
        slug: 'northwood',
        name: 'Northwood',
        support: {
          title: 'Northwood',
          description: 'Ask us',
          accentColor: '#5865F2',
          logoUrl: 'https://example.org/logo.png',
          discordUrl: 'https://example.org/discord',
        },
        servers: [
          {
            id: 'northwood-1',
            name: 'Northwood | Chernarus',
            host,
            port: 2302,
            queryPort: live,
            timezone: 'Europe/Berlin',
            schedules,
          },
          { id: 'northwood-2', name: 'Northwood | Livonia', host, port },
          { id: 'northwood-3', name: 'Northwood | Dead', host, port: 2502, queryPort: dead },
          { id: 'northwood-4', name: 'Northwood | Fading', host, port: 2602, queryPort: fading },
          { id: 'retired', name: 'Retired', host, port: 2802, queryPort: live, active: false, schedules },
        ],
        banlists: [
          {
            id: 'northwood-bans',
            name: 'Northwood bans',
            description: 'Who is banned',
            public: true,
            verificationStatus: 'VERIFIED',
            servers: ['northwood-1', 'northwood-2'],
          },
          { id: 'many-bans', name: 'Many', servers: ['northwood-1'] },
          { id: 'empty-bans', name: 'Empty', verificationStatus: 'PENDING' },
          { id: 'old-bans', name: 'Old bans', active: false },
        ],
      },
      {
        slug: 'southshore',
        name: 'Southshore',
        servers: [{ id: 'southshore-1', name: 'Southshore', host, port: 2702, queryPort: live, schedules }],
        banlists: [{ id: 'southshore-bans', name: 'Southshore bans' }],
      },
      {
        slug: 'order',
        name: 'Order',
        servers: [
          { id: 'order-1', name: 'Order', host, port: 2902, queryPort: dead },
          { id: 'order-2', name: 'Order without a query port', host, port },
        ],
      },
      {
        slug: 'freehold',
        name: 'Freehold',
        plan: 'FREE',
        servers: elsewhere('freehold'),
        banlists: [{ id: 'freehold-bans', name: 'F' }],
      },
      {
        slug: 'litehold',
        name: 'Litehold',
        plan: 'LITE',
        servers: elsewhere('litehold'),
        banlists: [{ id: 'litehold-bans', name: 'L' }],
      },
    ],
  };
}
