// What a page does with JavaScript: times in the visitor's zone, and changes as they come (/events). Without it, all of the
// page is there.

const { lang } = document.documentElement;

let isFetching = false;

const durations = JSON.parse(document.body.dataset.durations);
const inDays = new Intl.RelativeTimeFormat(lang);
const inMinutes = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** The same as relativeTime of embeds/format.ts. */
function relative(distance) {
  const minutes = Math.round(Math.abs(distance) / 60_000);
  if (minutes === 0) return inMinutes.format(0, 'minute');
  if (minutes >= 1440) return inDays.format(Math.round(distance / 86_400_000), 'day');
  const [h, m] = [Math.floor(minutes / 60), minutes % 60];
  const form = h === 0 ? 'minutes' : m === 0 ? 'wholeHours' : 'hours';
  return filled(durations[distance < 0 ? 'ago' : 'in'], { duration: filled(durations[form], { h, m }) });
}

const full = new Intl.DateTimeFormat(lang, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});

const hour = new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const weekday = new Intl.DateTimeFormat(lang, { weekday: 'short' });
const { timeZone } = hour.resolvedOptions();

const date = new Intl.DateTimeFormat(lang, { day: 'numeric', month: 'short', year: 'numeric' });

/** Moments for which the page was already fetched: a visitor's clock may be ahead. */
const passed = new Set();

function showTimes() {
  for (const time of document.querySelectorAll('time[data-t]')) {
    const at = Date.parse(time.dateTime);
    // It stood for what comes next, and something else does now.
    if (at < Date.now() && !document.hidden && !isFetching && !passed.has(at)) {
      passed.add(at);
      refresh(10_000);
    }
    const text = time.dataset.t === 'full' ? full.format(at) : relative(at - Date.now());
    if (time.textContent !== text) time.textContent = text;
  }
  for (const { dataset, firstChild } of document.querySelectorAll('[data-seen]')) {
    const day = date.format(Date.parse(dataset.seen));
    firstChild.data = firstChild.data.replace(dataset.day, day);
    dataset.day = day;
  }
  for (const zone of document.querySelectorAll('[data-zone]')) zone.textContent = timeZone;
}

/** Labels charts at round times of the visitor's zone, as timeTicks of embeds/chart/axis.ts does in the server's. */
function showAxes() {
  for (const { dataset, lastElementChild: ticks } of document.querySelectorAll('.chart')) {
    const [from, to] = [Number(dataset.from), Number(dataset.to)];
    const isDay = dataset.range === '24h';
    const first = new Date(from);
    const labels = [];
    for (let hours = 0; ; hours += isDay ? 4 : 24) {
      const at = +new Date(first.getFullYear(), first.getMonth(), first.getDate(), hours);
      if (at > to) break;
      const share = (at - from) / (to - from);
      if (share <= 0.04 || share >= 0.96) continue;
      const label = document.createElementNS('http://www.w3.org/2000/svg', 'text');
      label.setAttribute('x', `${Math.round(share * 1000) / 10}%`);
      label.setAttribute('y', '172');
      label.textContent = (isDay ? hour : weekday).format(at);
      labels.push(label);
    }
    ticks.replaceChildren(...labels);
  }
}
showTimes();
showAxes();
setInterval(showTimes, 30_000);

const number = new Intl.NumberFormat(lang);

function set(within, name, text) {
  const element = within?.querySelector(`[data-live="${name}"]`);
  if (element != null && element.textContent !== text) element.textContent = text;
}

const plural = new Intl.PluralRules(lang);

/** The word beside a count in the form that the language has for it. */
function setWord(within, name, forms, count) {
  const text = JSON.parse(forms ?? '{}')[plural.select(count)];
  if (text !== undefined) set(within, name, text);
}

function showServers(servers) {
  const { word, sumWord } = document.body.dataset;
  for (const { id, status, players, maxPlayers } of servers) {
    const card = document.querySelector(`[data-server="${CSS.escape(id)}"]`);
    if (card === null) continue;
    // The page says why a server is away.
    if (card.dataset.state !== status) refresh(5_000);
    card.dataset.state = status;
    set(card, 'state', document.body.dataset[status.toLowerCase()]);
    set(card, 'players', players === null ? '–' : number.format(players));
    // After the slots, the word is the same for any count.
    if (maxPlayers === null) setWord(card, 'word', word, players ?? 0);
    const share = players === null || !maxPlayers ? 0 : Math.min(players / maxPlayers, 1);
    card.querySelector('[data-live="bar"]')?.setAttribute('width', String(share * 100));
  }
  const sum = servers.reduce(
    (all, { status, players }) => all + (status === 'ONLINE' ? (players ?? 0) : 0),
    0,
  );
  set(document, 'sum', number.format(sum));
  setWord(document, 'sum-word', sumWord, sum);
  // The heading counts players unless nothing is known of any server.
  const isUnknown = servers.every(({ status }) => status === 'UNKNOWN');
  const isCounting = document.querySelector('[data-live="sum"]') !== null;
  if (document.querySelector('#servers') !== null && isCounting === isUnknown) refresh(1_500);
}

/** Takes the page's content anew, at a moment of this visitor's own, so that not all come at once. */
function refresh(withinMs) {
  if (isFetching) return;
  isFetching = true;
  setTimeout(() => {
    void renew().then(
      () => (isFetching = false),
      () => {
        isFetching = false;
        refresh(10_000);
      },
    );
  }, Math.random() * withinMs);
}

async function renew() {
  const answer = await fetch(location.href, { cache: 'no-cache' });
  // What stands here says more than that the service cannot answer.
  if (!answer.ok && answer.status !== 404) throw new Error(`HTTP ${answer.status}`);
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
  if (next === null) throw new Error('no page');
  const focused = document.querySelector('main :focus')?.getAttribute('href');
  document.querySelector('main').replaceWith(next);
  if (focused != null) next.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  showTimes();
  showAxes();
}

const { events } = document.body.dataset;
let source = null;

function connect() {
  source = new EventSource(events);
  source.addEventListener('servers', ({ data }) => showServers(JSON.parse(data)));
  source.addEventListener('boards', () => refresh(10_000));
  source.addEventListener('people', () => refresh(1_500));
  // The browser itself tries again after a lost connection, but not after a refusal.
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(connectAgain, 60_000);
  });
}

/** The page may have been hidden, or shown again, since the refusal: a second stream would take the place of another visitor. */
function connectAgain() {
  if (!document.hidden && source.readyState === EventSource.CLOSED) connect();
}

if (events !== undefined) {
  // Only a page that somebody looks at needs a stream.
  if (!document.hidden) connect();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) source?.close();
    else if (source === null || source.readyState === EventSource.CLOSED) {
      connect();
      refresh(0);
    }
  });
}
