// A second count of admin logs, in another style than the importer and sharing nothing with it: one pass over the raw
// lines with a handful of patterns that look for ids only, in the host's own clock, never in a time zone.
// `count([{ name, text }])` gives, for the files of one server, Map<id, { PLAYER_KILLS, … }>, and
// `characters(path)` the two metrics that only its players.db tells.

import SQLite from 'better-sqlite3';

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
  fell: new RegExp(`^Player .*?${at} (?:killed by|died\\.|drowned|bled out)`),
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
