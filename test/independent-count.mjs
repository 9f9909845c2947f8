// A second count of admin logs, in another style than the importer and sharing nothing with it: one pass over the raw
// lines with a handful of patterns that look for ids only, in the host's own clock, never in a time zone.
// `count([{ name, text }])` gives, for the files of one server, Map<id, { PLAYER_KILLS, … }>, and
// `characters(path)` the two metrics that only its players.db tells. `deaths(files)` lists every death with how and where.

import { createRequire } from 'node:module';

// The driver that the program uses on this Node.js: src/server/store/engine/driver.ts.
const isNewest = Number(process.versions.napi) >= 10;
const SQLite = createRequire(import.meta.url)(isNewest ? 'better-sqlite3-13' : 'better-sqlite3');

const id = '(Unknown|[\\w-]{43}=|[0-9A-F]{40}|\\d{17})';
const at = `\\(id=${id}(?: pos=<[^>]*>)?\\)`;
const dead = '( \\(DEAD\\))?';
const patterns = {
  connected: new RegExp(`^Player .*(?:"|\\w) is connected ${at}$|^Player .*${at} is connected$`),
  disconnected: new RegExp(`^Player .*${at} has been disconnected$`),
  respawn: new RegExp(`^Player .*${at} is choosing to respawn$`),
  hit: new RegExp(
    `^Player .*?${dead} ?${at}\\[HP: .*\\] hit by [Pp]layer .*?${at} into .* from ([\\d.e+]+) meters *$`,
  ),
  killed: new RegExp(`^Player .*?${at}(?: killed by Player| has been killed by player) .*?${at}(.*)$`),
  fell: new RegExp(`^Player .*?${at} (?:killed by|died\\.|(?:has )?drowned|bled out)`),
  suicide: new RegExp(`^Player .*?${at} committed suicide\\.?$`),
};

export function count(files) {
  const players = new Map();
  const player = (key) => {
    if (!players.has(key)) players.set(key, fresh());
    return players.get(key);
  };
  for (const run of runsOf(files)) {
    let day = Date.parse(`${run.header.slice(0, 10)}T00:00:00Z`) / 1000;
    let clock = seconds(run.header.slice(-8));
    let latest = day + clock;
    for (const line of run.lines) {
      const timed = /^(\d\d:\d\d:\d\d) \| (.*)$/.exec(line);
      if (timed === null) continue;
      const next = seconds(timed[1]);
      if (next < clock - 300) day += 86_400;
      clock = next;
      const now = day + clock;
      latest = Math.max(latest, now);
      see(timed[2], now, player);
    }
    for (const one of players.values()) if (one.since !== null) leave(one, latest);
    for (const one of players.values()) one.fallen = null;
  }
  return new Map([...players].map(([key, one]) => [key, figures(one)]));
}

/**
 * Every death of a server: run, victim, which of the victim's deaths in the run, local time, cause, killer, weapon, part of
 * the body, ammunition, meters and places. It gathers the lines of each death first and asks them afterwards.
 */
export function deaths(files) {
  const found = [];
  for (const run of runsOf(files)) {
    const open = new Map();
    const numbers = new Map();
    let day = Date.parse(`${run.header.slice(0, 10)}T00:00:00Z`) / 1000;
    let clock = seconds(run.header.slice(-8));
    const hits = [];
    for (const line of run.lines) {
      const [, time, text] = /^(\d\d:\d\d:\d\d) \| (.*?)\s*$/.exec(line) ?? [];
      if (time === undefined) continue;
      if (seconds(time) < clock - 300) day += 86_400;
      clock = seconds(time);
      const now = day + clock;
      const fell = [patterns.killed, patterns.fell, patterns.suicide].map((p) => p.exec(text)).find(Boolean);
      const back = patterns.connected.exec(text) ?? patterns.respawn.exec(text);
      const hit = deadlyHit.exec(text);
      if (hit !== null) hits.push({ now, victim: hit[1], said: hit[2] });
      if (back !== null) open.delete(back[1] ?? back[2]);
      else if (fell !== undefined && fell[1] !== 'Unknown') {
        const victim = fell[1];
        let death = open.get(victim);
        if (death === undefined || now - death.latest > 10) {
          numbers.set(victim, (numbers.get(victim) ?? 0) + 1);
          death = { run: run.header, victim, number: numbers.get(victim), now, told: [] };
          open.set(victim, death);
          found.push(death);
        }
        death.latest = now;
        death.told.push(text);
      }
    }
    for (const death of found)
      if (death.run === run.header)
        death.hit = hits.find(({ now, victim }) => now === death.now && victim === death.victim)?.said ?? '';
  }
  return found.map(deathOf);
}

const deadlyHit = new RegExp(`^Player .*? \\(DEAD\\) ?${at}\\[HP: [^\\]]*\\] hit by (.*)$`);

function deathOf({ run, victim, number, now, told, hit }) {
  const has = (words) => told.find((text) => words.test(text)) ?? '';
  const kills = told.filter((text) => / (?:has been )?killed by /.test(text));
  const named = kills.find(
    (text) => patterns.killed.test(text) && !['Unknown', victim].includes(patterns.killed.exec(text)[2]),
  );
  const kill = named ?? (has(/committed suicide/) ? '' : (kills[0] ?? ''));
  const [, blame = ''] = /killed by (?:[Pp]layer )?(.*)$/.exec(kill) ?? [];
  const ids = [...blame.matchAll(new RegExp(at, 'g'))].map(([, key]) => key);
  const killer = ids[0] !== undefined && ids[0] !== 'Unknown' && ids[0] !== victim ? ids[0] : null;
  const hitter = new RegExp(`^Player .*?${at}`).exec(hit)?.[1] ?? null;
  const blast = hit.startsWith('explosion');
  const own = ids[0] === victim || has(/committed suicide/) !== '';
  const cause = causeOf({ kill, blame, killer, has, hit, own: ids[0] === victim });
  // The hit says more of the death that it brought, and nothing of another.
  const fits = killer !== null ? hitter === killer || blast : own ? hitter === victim || blast : !hitter;
  const brings = causeOf({ kill: '', blame: '', killer: null, has: () => '', hit, own: false });
  const agrees =
    ['died', cause].includes(brings) || ['died', 'other', 'player', 'self', 'suicide'].includes(cause);
  const more = fits && agrees && !['bled-out', 'drowned'].includes(cause) ? hit : '';
  const [, weapon = null] = /^.* with (?!\()(.+?)(?: from [\d.e+]+ meters)?$/.exec(kill) ?? [];
  const meters = Number(/ from ([\d.e+]+) meters$/.exec(kill)?.[1] ?? 0);
  const place = (key, from) => {
    const text = from ?? told.find((line) => line.includes(`(id=${key} pos=<`)) ?? '';
    const [, x, z] =
      new RegExp(`\\(id=${key.replace(/[+]/g, '.')} pos=<([-\\d.]+), ([-\\d.]+), `).exec(text) ?? [];
    return x === undefined ? null : [Number(x), Number(z)];
  };
  return {
    run: run.replace(' at ', ' '),
    victim,
    number,
    time: new Date(now * 1000).toISOString().slice(0, 19).replace('T', ' '),
    cause,
    killer,
    weapon: weapon ?? / with ([^()]+?) from [\d.e+]+ meters$/.exec(more)?.[1] ?? null,
    bodyPart: / into (\w+)\(/.exec(more)?.[1] ?? null,
    ammo:
      / with \((.+)\)$/.exec(kill)?.[1] ??
      / damage \(([^)]+)\)/.exec(more)?.[1] ??
      /^explosion \((.+)\)$/.exec(more)?.[1] ??
      /^\w+ with (\w+)$/.exec(more)?.[1] ??
      null,
    meters: meters > 0 && meters <= 10_000 ? meters : null,
    place: place(victim),
    killerPlace: killer === null ? null : place(killer, kill),
  };
}

function causeOf({ kill, blame, killer, has, hit, own }) {
  if (killer !== null) return 'player';
  if (has(/committed suicide/)) return 'suicide';
  if (own) return 'self';
  if (kill) {
    if (blame.startsWith('AI "')) return 'ai';
    if (blame.startsWith('Zmb')) return 'infected';
    if (blame.startsWith('Animal')) return 'animal';
    if (/Trap$|^Fence/.test(blame)) return 'trap';
    if (/^(?:Fireplace|Bonfire)/.test(blame)) return 'fire';
    if (/renade|ynamite|laymore/.test(blame)) return 'explosion';
    if (hit.endsWith('with TransportHit') || /Sedan|Hatchback|Truck|Offroad|CrSk_/.test(blame))
      return 'vehicle';
    return /id=Unknown/.test(blame) || /^ ?with /.test(blame) ? 'player' : 'other';
  }
  if (has(/bled out/)) return 'bled-out';
  if (has(/drowned/)) return 'drowned';
  if (hit.startsWith('FallDamage')) return 'fall';
  if (hit.startsWith('explosion')) return 'explosion';
  if (hit.endsWith('with TransportHit')) return 'vehicle';
  if (/\(Melee(?:Wolf|Bear)/.test(hit)) return 'animal';
  return /\(Melee\w*(?:Zombie|Infected)/.test(hit) ? 'infected' : 'died';
}

/** All nine metrics: the seven of the logs (0 for who is not in them) beside the two of players.db (null for who is not). */
export function nine(counted, drawn) {
  const none = Object.fromEntries(Object.keys(figures(fresh())).map((metric) => [metric, 0]));
  const untold = { ZOMBIE_KILLS: null, ANIMAL_KILLS: null };
  return new Map(
    [...counted.keys(), ...drawn.keys()].map((key) => [
      key,
      { ...(counted.get(key) ?? none), ...(drawn.get(key) ?? untold) },
    ]),
  );
}

/** Looks for the names of the figures in each character's bytes; what stands behind a name is its figure. */
export function characters(path) {
  const db = new SQLite(path, { readonly: true });
  const rows = db.prepare('SELECT UID, Data FROM Players WHERE Data IS NOT NULL').all();
  db.close();
  const figure = (data, name) => {
    const at = data.lastIndexOf(`${String.fromCharCode(name.length)}${name}`, undefined, 'latin1');
    return at < 0 ? null : Math.floor(data.readFloatLE(at + 1 + name.length));
  };
  return new Map(
    rows.map(({ UID, Data }) => [
      UID.replaceAll('\0', ''),
      { ZOMBIE_KILLS: figure(Data, 'infected_killed'), ANIMAL_KILLS: figure(Data, 'animals_killed') },
    ]),
  );
}

/** Joins the counts of several servers: sums, and the greatest of what is a greatest. */
export function join(counts) {
  const joined = new Map();
  for (const [key, row] of counts.flatMap((one) => [...one])) {
    const had = joined.get(key);
    joined.set(
      key,
      had === undefined
        ? row
        : Object.fromEntries(
            Object.keys(row).map((m) => [
              m,
              had[m] === null || row[m] === null
                ? (had[m] ?? row[m])
                : m.startsWith('LONGEST')
                  ? Math.max(had[m], row[m])
                  : had[m] + row[m],
            ]),
          ),
    );
  }
  return joined;
}

function runsOf(files) {
  const longest = new Map();
  for (const { text } of files) {
    const parts = text
      .replaceAll('\r', '')
      .split(/^AdminLog started on (\d{4}-\d\d-\d\d at \d\d:\d\d:\d\d)\n/m);
    for (let i = 1; i < parts.length; i += 2) {
      if ((longest.get(parts[i])?.length ?? -1) < parts[i + 1].length) longest.set(parts[i], parts[i + 1]);
    }
  }
  return [...longest]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([header, body]) => ({ header, lines: body.split('\n') }));
}

function see(text, now, player) {
  let m;
  for (const [, key] of text.startsWith('Player ') ? text.matchAll(new RegExp(at, 'g')) : []) {
    if (key !== 'Unknown') player(key);
  }
  if ((m = patterns.connected.exec(text))) {
    const key = m[1] ?? m[2];
    if (key === 'Unknown') return;
    const one = player(key);
    one.fallen = null;
    if (one.since === null) one.since = one.counted = now;
  } else if ((m = patterns.disconnected.exec(text))) {
    if (m[1] !== 'Unknown') leave(player(m[1]), now);
  } else if ((m = patterns.respawn.exec(text))) {
    if (m[1] !== 'Unknown') player(m[1]).fallen = null;
  } else if ((m = patterns.hit.exec(text))) {
    const [, corpse, victim, shooter, meters] = m;
    // The killing hit, itself marked dead, is taken from the `killed by` line, which carries the same distance. Bodies
    // that lie longer are `Unknown/Dead Entity` with id=Unknown.
    if (corpse === undefined && victim !== 'Unknown' && shooter !== 'Unknown' && shooter !== victim)
      reach(player(shooter), 'hit', meters);
  } else {
    if ((m = patterns.killed.exec(text)) && m[2] !== 'Unknown' && m[1] !== m[2]) {
      const killer = player(m[2]);
      killer.kills += 1;
      const meters = / from ([\d.e+]+) meters *$/.exec(m[3])?.[1];
      if (meters !== undefined) for (const what of ['hit', 'kill']) reach(killer, what, meters);
    }
    m = patterns.suicide.exec(text) ?? patterns.killed.exec(text) ?? patterns.fell.exec(text);
    if (m !== null && m[1] !== 'Unknown') fall(player(m[1]), now, patterns.suicide.test(text));
  }
}

function fall(one, now, own) {
  if (one.fallen === null || now - one.fallen > 10) {
    one.deaths += 1;
    one.own = false;
    live(one, now);
    one.lives.push(0);
  }
  if (own && !one.own) {
    one.own = true;
    one.suicides += 1;
  }
  one.fallen = now;
}

function leave(one, now) {
  if (one.since === null) return;
  live(one, now);
  one.played += Math.max(0, now - one.since);
  one.since = null;
}

function live(one, now) {
  if (one.since === null) return;
  one.lives[one.lives.length - 1] += Math.max(0, now - one.counted);
  one.counted = now;
}

function reach(one, what, text) {
  const meters = Number(text);
  if (meters > 0 && meters <= 10_000) one[what] = Math.max(one[what], meters);
}

const seconds = (text) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

function fresh() {
  return {
    kills: 0,
    deaths: 0,
    suicides: 0,
    played: 0,
    hit: 0,
    kill: 0,
    lives: [0],
    since: null,
    counted: 0,
    fallen: null,
    own: false,
  };
}

function figures(one) {
  return {
    PLAYER_KILLS: one.kills,
    DEATHS: one.deaths,
    SUICIDES: one.suicides,
    LONGEST_HIT: one.hit,
    LONGEST_KILL: one.kill,
    PLAYTIME: one.played,
    LONGEST_LIFE: Math.max(...one.lives),
  };
}
