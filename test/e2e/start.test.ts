import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { SQLite } from '../../src/server/store/engine/driver.ts';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { callersPace, createWorkplace, type Running, type Workplace } from '../harness/outpost-process.ts';
import { northwood } from '../harness/northwood.ts';

let place: Workplace;

interface Credentials {
  id: string;
  secret: string;
}

async function createApp(scopes = 'all'): Promise<Credentials> {
  return (await place.outpostJson(
    'app',
    'create',
    '--project',
    'northwood',
    '--name',
    'Test',
    '--scopes',
    scopes,
  )) as Credentials;
}

async function register(url: string, { id, secret }: Credentials): Promise<string> {
  const response = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'User-Agent': id },
    body: JSON.stringify({ application_id: id, secret }),
  });
  return ((await response.json()) as { token: string }).token;
}

const headersOf = ({ id }: Credentials, token: string): Record<string, string> => ({
  'User-Agent': id,
  Authorization: `Bearer ${token}`,
});

describe('a process that is running', () => {
  let outpost: Running;
  beforeAll(async () => {
    place = await createWorkplace();
    await place.configure(northwood());
    outpost = await place.start();
  });
  afterAll(() => place.remove());

  it('runs without a Discord token, says so in one line, and listens on loopback only', async () => {
    await outpost.logged('the bot is off: DISCORD_TOKEN is not set');
    expect(new URL(outpost.url).hostname).toBe('127.0.0.1');
  });

  it('sees an application made beside it at once, and refuses its tokens within a second of a rotation', async () => {
    const { url } = outpost;
    const app = await createApp('project:read,servers:read');
    const headers = headersOf(app, await register(url, app));
    expect((await fetch(`${url}/v1/servers`, { headers })).status).toBe(200);
    const rotated = (await place.outpostJson('app', 'rotate', app.id)) as Credentials;
    const status = async () => (await fetch(`${url}/v1/servers`, { headers })).status;
    await expect.poll(status).toBe(401);
    const again = headersOf(app, await register(url, rotated));
    expect((await fetch(`${url}/v1/servers`, { headers: again })).status).toBe(200);
  });

  it('keeps the current config when SIGHUP finds a bad one, and applies a good one', async () => {
    const app = await createApp();
    const headers = headersOf(app, await register(outpost.url, app));
    await place.write('outpost.yaml', 'projects: []');
    outpost.signal('SIGHUP');
    await outpost.logged('keeping the current one');
    expect((await fetch(`${outpost.url}/v1/servers`, { headers })).status).toBe(200);
    await place.configure(northwood({ suspended: true }));
    outpost.signal('SIGHUP');
    await outpost.logged('config reloaded');
    const status = async () => (await fetch(`${outpost.url}/v1/servers`, { headers })).status;
    await expect.poll(status, callersPace).toBe(423);
  });

  it('refuses a second process on the same data folder and names the first, which is not disturbed', async () => {
    const { code, stderr } = await place.outpost('start');
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(`process ${outpost.pid} on ${hostname()}, since `);
    expect(stderr).toContain(`config ${join(place.folder, 'outpost.yaml')}`);
    expect((await fetch(`${outpost.url}/healthz`)).status).toBe(200);
    await createApp();

    outpost.signal('SIGKILL');
    await outpost.ended;
    await place.start();
  });
});

describe('a process that is started', () => {
  beforeEach(async () => {
    place = await createWorkplace();
  });
  afterEach(() => place.remove());

  it('without a config says what to copy and how to try the demo first, and ends with 1', async () => {
    const { code, stderr } = await place.outpost('start');
    expect(code).toBe(1);
    expect(stderr).toContain('outpost.example.yaml');
    expect(stderr).toContain('outpost demo');
    expect(stderr).not.toContain('    at ');
  });

  it('names all mistakes of a config in one go, and ends with 1', async () => {
    await place.write(
      'outpost.yaml',
      'http: { port: x }\nprojects:\n  - { slug: a, name: A, plan: GOLD, colour: red }\n',
    );
    const { code, stderr } = await place.outpost('start');
    expect(code).toBe(1);
    for (const key of ['http.port', 'projects[0].plan', 'projects[0].colour']) expect(stderr).toContain(key);
    expect(stderr).toMatch(/line 1.*\n.*line 3.*\n.*line 3/);
  });

  it('says which address is taken when another process listens there', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    await place.configure({ ...northwood(), http: { port: (other.address() as AddressInfo).port } });
    const { code, stderr } = await place.outpost('start');
    expect(code).toBe(1);
    expect(stderr).toContain('http.port');
  });

  it('of two that start on a new data folder at once, one runs and the other is refused', async () => {
    await place.configure(northwood());
    const starts = await Promise.allSettled([place.start(), place.start()]);
    expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = starts.find((start) => start.status === 'rejected');
    expect(String(refused?.reason)).toContain('another Outpost is running');
  });

  it('is started beside a command that makes the same new store', async () => {
    await place.configure(northwood());
    await Promise.all([place.start(), createApp(), createApp()]);
  });

  it('refuses a store that cannot be used in one line without a stack', async () => {
    await place.configure(northwood());
    await place.write('file', '');
    place.environment['OUTPOST_DATA'] = join(place.folder, 'file');
    for (const command of [['start'], ['import', 'players', '--project', 'northwood', 'file']]) {
      const { code, stderr } = await place.outpost(...command);
      expect(code).toBe(1);
      expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('expected a folder')]);
    }
  });

  it('finishes what is in flight after SIGTERM, ends with 0, leaves a clean database, and takes its tokens after a restart', async () => {
    await place.configure(northwood());
    const outpost = await place.start();
    // Each caller has its own token, so that no limit stands in the way.
    const app = await createApp();
    const callers = await Promise.all(
      Array.from({ length: 8 }, async () => headersOf(app, await register(outpost.url, app))),
    );
    const outcomes = { answered: 0, broken: [] as unknown[] };
    const ended = new AbortController();
    const load = callers.map(async (headers) => {
      for (let count = 0; !ended.signal.aborted && count < 110; count += 1) {
        try {
          const response = await fetch(`${outpost.url}/v1/leaderboards`, { headers });
          await response.json();
          if (response.status === 200) outcomes.answered += 1;
          else outcomes.broken.push(response.status);
        } catch (error) {
          // A connection that the process never accepted is refused or reset by the system when the listener closes, and
          // one over which no request came for a while is closed.
          const { message = String(error) } = (error as { cause?: Error }).cause ?? {};
          if (!/^(connect|read|write) ECONN(REFUSED|RESET)|^other side closed/.test(message))
            outcomes.broken.push(message);
          return;
        }
      }
    });
    await expect.poll(() => outcomes.answered).toBeGreaterThan(50);
    // This one takes seconds: its game server is silent.
    const slow = fetch(`${outpost.url}/v1/server/northwood-1/players/online`, { headers: callers[0] ?? {} });
    await expect.poll(() => outcomes.answered).toBeGreaterThan(100);
    const { code } = await outpost.stop();
    const { status, body } = await slow.then(async (answer) => ({
      status: answer.status,
      body: await answer.json(),
    }));
    expect([status, (body as { error: string }).error]).toEqual([503, 'live_source_unavailable']);
    ended.abort();
    await Promise.all(load);
    // A process that does not stop within its five seconds ends with 1.
    expect(code).toBe(0);
    expect(outcomes.broken).toEqual([]);
    const db = new SQLite(join(place.folder, 'data', 'outpost.sqlite'), { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();

    const second = await place.start();
    expect((await fetch(`${second.url}/v1/project`, { headers: callers[1] ?? {} })).status).toBe(200);
  });
});
