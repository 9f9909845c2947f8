// What the service is measured against, one of four servers in a process of its own: see http.ts.
import { hash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { SQLite } from '../src/server/store/engine/driver.ts';
import Fastify from 'fastify';
import { pino } from 'pino';
import { formatMetricValue, metricCodes, metrics } from '../src/api/metrics.ts';
import { SlidingLog } from '../src/server/http/limits/limiter.ts';
import { openWriter } from '../src/server/store/engine/database.ts';
import { metricColumns } from '../src/server/store/engine/schema/metric-columns.ts';
import { openSmallValues } from '../src/server/store/engine/small-values.ts';

export interface BaselineSetup {
  kind: 'bare' | 'guarded' | 'fastify-sqlite' | 'fastify-sqlite-keyv';
  applicationId: string;
  token: string;
  /** The service's own answers, by path and query. */
  bodies: Record<string, string>;
  storeFile: string;
  keyvFile: string;
  playerSteamId: string;
}

const setup = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as BaselineSetup;
const port =
  setup.kind === 'bare' || setup.kind === 'guarded' ? await listenBare(setup) : await listenFastify(setup);
process.stdout.write(`listening ${port}\n`);

/** (a) Sends the same bytes; (b) also knows tokens by their SHA-256, limits exactly, and sends the same headers. */
async function listenBare({ kind, applicationId, token, bodies }: BaselineSetup): Promise<number> {
  const answers = new Map(
    Object.entries(bodies).map(([path, text]) => {
      const etag = `"${hash('sha256', text, 'base64url')}"`;
      return [path, { bytes: Buffer.from(text), etag }] as const;
    }),
  );
  const tokens = new Map([
    [hash('sha256', token, 'hex'), { applicationId, log: new SlidingLog('token', 1_000_000, 60_000) }],
  ]);
  const bare = (request: IncomingMessage, response: ServerResponse): void => {
    response.end(answers.get(request.url as string)?.bytes);
  };
  const guarded = (request: IncomingMessage, response: ServerResponse): void => {
    const { authorization = '', 'user-agent': userAgent } = request.headers;
    const grant = tokens.get(hash('sha256', authorization.slice('Bearer '.length), 'hex'));
    const body = answers.get(request.url as string);
    if (grant === undefined || grant.applicationId !== userAgent || body === undefined) {
      response.writeHead(grant === undefined ? 401 : 403).end();
      return;
    }
    const now = Date.now();
    const left = grant.log.remaining(now);
    if (left === 0) {
      response.writeHead(429).end();
      return;
    }
    grant.log.take(now);
    const reset = Math.ceil(grant.log.resetMs(now) / 1000);
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.bytes.length,
      'Cache-Control': 'private, max-age=30',
      Vary: 'Authorization, User-Agent, Accept-Encoding',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': randomUUID(),
      ETag: body.etag,
      'RateLimit-Policy': '"token";q=1000000;w=60',
      RateLimit: `"token";r=${left - 1};t=${reset}`,
      'X-RateLimit-Limit': '1000000',
      'X-RateLimit-Remaining': String(left - 1),
      'X-RateLimit-Reset': String(reset),
    });
    response.end(body.bytes);
  };
  const server = createServer(kind === 'bare' ? bare : guarded);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** (c) Asks the database for each request and sends the same answer; (d) also a Keyv on SQLite for the token. */
async function listenFastify({
  kind,
  token,
  storeFile,
  keyvFile,
  playerSteamId,
  bodies,
}: BaselineSetup): Promise<number> {
  const db = new SQLite(storeFile, { readonly: true });
  const { id: project } = db.prepare("SELECT id FROM project WHERE slug = 'northwood'").get() as {
    id: string;
  };
  const values = await openWriter(keyvFile, { busyTimeoutMs: 0 });
  const keyv = openSmallValues(values, values.db, pino({ level: 'silent' })).of('tokens');
  const key = hash('sha256', token, 'hex');
  await keyv.set(key, { applicationId: 'a', generation: 1, expiresAt: Date.now() + 86_400_000 });

  const reference =
    'steam_id64 AS steamId64, battleye_guid AS battleyeGuid, cftools_id AS cftoolsId, player.name AS name';
  const servers = db.prepare(
    `SELECT id, name, map, coalesce(status, 'UNKNOWN') AS status, players, max_players AS maxPlayers,
       checked_at AS checkedAt
     FROM server LEFT JOIN server_state ON server_id = id WHERE project_id = ? AND active = 1 ORDER BY position`,
  );
  const board = db.prepare(
    `SELECT player_kills AS value, ${reference} FROM player_stats JOIN player ON player.id = player_id
     WHERE player_stats.project_id = ? AND player_kills > 0 ORDER BY player_kills DESC, player_id LIMIT 25`,
  );
  const player = db.prepare(
    `SELECT id, first_seen_at, last_seen_at, ${reference},
       ${metricCodes.map((code) => `${metricColumns[code]} AS ${metrics[code].stat}`).join(', ')}
     FROM player LEFT JOIN player_stats ON player_id = id WHERE player.project_id = ? AND steam_id64 = ?`,
  );
  const aliases = db.prepare(
    `SELECT player_id, name, first_seen_at, last_seen_at FROM player_alias
     WHERE player_id IN (SELECT value FROM json_each(?)) ORDER BY last_seen_at DESC, name`,
  );
  const bans = db.prepare(
    `SELECT category, reason, starts_at, expires_at, state, player_id, ${reference}
     FROM ban LEFT JOIN player ON player.id = player_id WHERE list_id = ? AND lifted_at IS NULL
     AND (expires_at IS NULL OR expires_at > ?)
     ORDER BY coalesce(starts_at, ban.first_seen_at) DESC, ban.id DESC LIMIT 100`,
  );
  const targets = db.prepare(
    `SELECT 'SERVER' AS type, server.id AS serverId, server.name FROM ban_list, json_each(server_ids)
     JOIN server ON server.id = value WHERE ban_list.id = ?`,
  );
  const moment = (at: unknown): string | null => (at === null ? null : new Date(at as number).toISOString());
  const aliasesOf = (ids: readonly unknown[]): Map<unknown, object[]> => {
    const found = new Map<unknown, object[]>();
    for (const row of aliases.all(JSON.stringify(ids)) as Row[]) {
      const { player_id: id, name, first_seen_at: first, last_seen_at: last } = row;
      const alias = { name, firstSeenAt: moment(first), lastSeenAt: moment(last) };
      found.set(id, [...(found.get(id) ?? []), alias]);
    }
    return found;
  };
  const referenceOf = ({ steamId64, battleyeGuid, cftoolsId, name }: Row): object => ({
    steamId64,
    battleyeGuid,
    cftoolsId,
    name,
  });

  const app = Fastify();
  if (kind === 'fastify-sqlite-keyv') {
    app.addHook('onRequest', async ({ headers }) => {
      const sent = (headers.authorization ?? '').slice('Bearer '.length);
      if ((await keyv.get(hash('sha256', sent, 'hex'))) === undefined) throw new Error('unknown token');
    });
  }
  app.get('/v1/servers', async () => ({
    servers: (servers.all(project) as Row[]).map(({ checkedAt, ...row }) => ({
      ...row,
      checkedAt: moment(checkedAt),
    })),
  }));
  app.get('/v1/leaderboards', async () => ({
    leaderboards: [
      { metric: 'PLAYER_KILLS', unit: 'count', rows: ranked(board.all(project) as Row[], referenceOf) },
    ],
  }));
  app.get('/v1/player/:identifier', async () => {
    const {
      id,
      first_seen_at: first,
      last_seen_at: last,
      steamId64,
      battleyeGuid,
      cftoolsId,
      name,
      ...stats
    } = player.get(project, playerSteamId) as Row;
    const seen = { firstSeenAt: moment(first), lastSeenAt: moment(last) };
    return {
      player: {
        steamId64,
        battleyeGuid,
        cftoolsId,
        name,
        aliases: aliasesOf([id]).get(id) ?? [],
        ...seen,
        stats,
      },
    };
  });
  app.get('/v1/banlists/:id/bans', async () => {
    const on = targets.all('northwood-bans') as Row[];
    const rows = bans.all('northwood-bans', Date.now()) as Row[];
    const known = aliasesOf(rows.map((row) => row['player_id']));
    return {
      bans: rows.map((row) => ({
        category: row['category'],
        reason: row['reason'],
        startsAt: moment(row['starts_at']),
        expiresAt: moment(row['expires_at']),
        permanent: row['expires_at'] === null,
        player: { ...referenceOf(row), aliases: known.get(row['player_id']) ?? [] },
        targets: on.map((target) => ({ ...target, state: row['state'] })),
      })),
    };
  });
  for (const [path, text] of Object.entries(bodies)) {
    const { statusCode, body } = await app.inject({
      url: path,
      headers: { authorization: `Bearer ${token}` },
    });
    // What the comparison leaves out has no route here.
    if (
      statusCode !== 404 &&
      !path.endsWith('/leaderboards') &&
      !isDeepStrictEqual(settled(body), settled(text))
    )
      throw new Error(
        `${path} would be compared with another answer:\n${body.slice(0, 600)}\n${text.slice(0, 600)}`,
      );
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

type Row = Record<string, unknown>;

/** A body without what the service's own checks of the servers change meanwhile. */
function settled(body: string): unknown {
  const live = new Set(['map', 'status', 'players', 'maxPlayers', 'checkedAt']);
  return JSON.parse(body, (key, value: unknown) => (live.has(key) ? undefined : value));
}

function ranked(rows: readonly Row[], referenceOf: (row: Row) => object): object[] {
  let rank = 0;
  let previous: unknown = null;
  return rows.map((row, index) => {
    const value = row['value'] as number;
    if (value !== previous) rank = index + 1;
    previous = value;
    return { rank, value, valueText: formatMetricValue('count', value), player: referenceOf(row) };
  });
}
