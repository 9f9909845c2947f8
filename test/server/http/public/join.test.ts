import { afterEach, describe, expect, it } from 'vitest';
import { joinTarget } from '../../../../src/community/servers.ts';
import { configSchema, type ConfigInput } from '../../../../src/config/schema.ts';
import { keepLatestResults } from '../../../../src/server/live/latest-results.ts';
import { northwood } from '../../../harness/northwood.ts';
import { startTestService, type TestService } from '../../../harness/service.ts';

const publicUrl = 'https://play.example.org';

let service: TestService;
afterEach(async () => service.close());

async function start(config: ConfigInput, found: number | null = null): Promise<void> {
  const parsed = configSchema.parse(config);
  const answer = { map: null, players: 1, maxPlayers: 2, queue: null, listed: [], observedAt: 1 };
  const results = keepLatestResults(async () => ({ ...answer, queryPort: found }));
  await results.query({ game: 'dayz', host: '127.0.0.1', port: 2302, queryPort: null });
  service = await startTestService(config, {
    parts: { joinTarget: (serverId) => joinTarget(parsed, serverId, results) },
  });
}

const join = (serverId: string, init: RequestInit = {}) =>
  fetch(new URL(`/join/${serverId}`, service.url), { redirect: 'manual', ...init });

/** The ordinary config with links to join, its first server changed. */
function linked(server: object = {}, project: object = {}): ConfigInput {
  const { http, projects } = northwood(project);
  const [first, ...others] = projects;
  const [own, ...rest] = first!.servers!;
  const changed = { ...first!, servers: [{ ...own!, ...server }, ...rest] };
  return { http: { ...http, publicUrl }, projects: [changed, ...others] };
}

describe('a link to join', () => {
  it('leads into the game, at once or with a click', async () => {
    await start(linked());
    const response = await join('northwood-1');
    expect(response.status).toBe(302);
    // Steam asks the server what game it is, and DayZ answers at its query port alone.
    expect(response.headers.get('location')).toBe('steam://connect/127.0.0.1:1');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain('<a href="steam://connect/127.0.0.1:1">');
  });

  it.each([
    ['play.example.org', 'steam://connect/play.example.org:1'],
    ['play.example.org:2302', 'steam://connect/play.example.org:1'],
    ['203.0.113.7:2402', 'steam://connect/203.0.113.7:2402'],
    ['[2001:db8::7]', 'steam://connect/[2001:db8::7]:1'],
    ['[2001:db8::7]:2402', 'steam://connect/[2001:db8::7]:2402'],
  ])('leads to the address for players, %s, where there is one', async (joinAddress, address) => {
    await start(linked({ joinAddress }));
    expect((await join('northwood-1')).headers.get('location')).toBe(address);
  });

  it('leads to the query port at which the server answered, where the config has none', async () => {
    await start(linked({ queryPort: undefined }), 27016);
    expect((await join('northwood-1')).headers.get('location')).toBe('steam://connect/127.0.0.1:27016');
  });

  it('leads to the game port where no other is known', async () => {
    await start(linked({ queryPort: undefined }));
    expect((await join('northwood-1')).headers.get('location')).toBe('steam://connect/127.0.0.1:2302');
  });

  it.each([
    ['the owner wants no such links', northwood(), 'northwood-1'],
    ['the server is not active', linked({ active: false }), 'northwood-1'],
    ['the project is suspended', linked({}, { suspended: true }), 'northwood-1'],
    [
      'the server is on a console',
      linked({ queryPort: undefined, files: { type: 'nitrado', serviceId: 1, token: { env: 'PATH' } } }),
      'northwood-1',
    ],
    ['there never was such a server', linked(), 'nowhere'],
    ['the id is nonsense', linked(), '%00%2e%2e%2f'],
  ])('tells no address when %s', async (_, config, serverId) => {
    await start(config);
    const response = await join(serverId);
    expect(response.status).toBe(404);
    expect(response.headers.get('location')).toBeNull();
    const { error, message } = (await response.json()) as { error: string; message: string };
    expect([error, message]).toEqual(['not_found', 'There is no server to join here.']);
  });

  it('takes GET only', async () => {
    await start(linked());
    const response = await join('northwood-1', { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('the address for players', () => {
  it.each(['play.example.org/x', 'a b', 'user@host', '203.0.113.7:99999', 'steam://x', '[::1'])(
    'is refused when it is none: %s',
    (joinAddress) => {
      const { error } = configSchema.safeParse(linked({ joinAddress }));
      expect(error?.issues[0]?.message).toContain('expected an address such as play.example.org');
    },
  );
});
